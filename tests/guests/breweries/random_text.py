# One brewery, as the text that came over the wire.
import requests

answer = requests.get(f"{BASE_URL}/breweries/random")
answer.raise_for_status()
result = answer.text
