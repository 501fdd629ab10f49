# Completion of the ros2 command in bash. The command itself knows the candidates.
_tandem_ros2() {
  local typed=${COMP_WORDS[COMP_CWORD]}
  mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$typed" 2>/dev/null)
}
complete -o default -F _tandem_ros2 ros2
