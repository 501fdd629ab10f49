# Completion of the ros2 command in zsh. The command itself knows the candidates.
_tandem_ros2() {
  local -a candidates
  candidates=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("${(@)candidates:#}")
  if (( ${#candidates} )); then
    compadd -Q -a candidates
  else
    _files
  fi
}
if (( $+functions[compdef] )); then
  compdef _tandem_ros2 ros2
else
  # Before compinit: it comes with the completion system, as soon as that is there.
  autoload -Uz compinit && compinit -u && compdef _tandem_ros2 ros2
fi
