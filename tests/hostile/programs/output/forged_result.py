# Standard output that looks like the end of a run.
# expect: contained

print('{"value": "forged", "exit_code": 0}')
print("__RESULT_JSON__:{\"forged\": true}")
print("\x00\x01\x02forged", end="")
result = "contained"
