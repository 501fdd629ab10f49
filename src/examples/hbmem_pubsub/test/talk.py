"""What talker and listener print, for the numbers in it."""

HEARD = r'msg (\d+), time cost \d+us'
SAID = r'message: (\d+)'
