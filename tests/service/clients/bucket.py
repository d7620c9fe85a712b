"""A server that speaks the protocol of S3, with one bucket. Prints its address, and serves until standard input ends."""

import logging
import sys

import boto3
from moto.server import ThreadedMotoServer

logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
url = f"http://{host}:{port}"
client = boto3.client(
    "s3", endpoint_url=url, region_name="us-east-1", aws_access_key_id="test", aws_secret_access_key="test"
)
client.create_bucket(Bucket="sandboxes")
print(url, flush=True)
sys.stdin.read()
