"""Serves a GGUF file by llama.cpp's own HTTP server on a free port; prints its address.

    serve.py FILE NAME TEMPLATE CONTEXT

It ends when its standard input does.
"""

import sys
from pathlib import Path

import xllamacpp

model, name, template, context = sys.argv[1:]
params = xllamacpp.CommonParams()
params.model.path = model
params.model_alias = {name}
params.chat_template = Path(template).read_text()
params.n_ctx = int(context)
params.n_parallel = 1
# More would wait for each other, busily, beside the other tests.
params.cpuparams.n_threads = 1
params.sampling.seed = 18
params.warmup = False
params.ui = False
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
