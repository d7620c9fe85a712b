"""Tests of the adapters with the frameworks that they are for. Models are scripted; nothing leaves this machine."""
