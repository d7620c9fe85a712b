# Follows a redirect that leads where nothing may go.
try:
    outcome = http_get(URL)["status"]
except PermissionError as error:
    outcome = str(error)
outcome
