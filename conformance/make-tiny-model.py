"""Writes a tiny Qwen3 model for vLLM: configuration, byte-level BPE tokenizer and a ChatML template; no weights.

Usage: python make-tiny-model.py FOLDER

Serve it with `--load-format dummy`: the weights are random, so the answers are noise, but tokens, cache, scheduler,
usage, metrics and errors are those of the real engine.
"""

import json
import sys
from pathlib import Path

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

# Order fixes the ids: 0, 1, 2.
SPECIALS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]

# Enough English and code for a few hundred merges; what it says does not matter.
CORPUS = """
The router keeps every request of a conversation on the replica that already holds its prefix in the cache. A replica
that is busy, down or unknown is passed over, and the conversation comes home afterwards. The system prompt of a coding
agent is long; its tools, its rules and its files are sent again with every turn, and only the end of it is new.
def read_file(path: str) -> str:
    with open(path, encoding="utf-8") as handle:
        return handle.read()
export function first(items: readonly string[]): string | null { return items[0] ?? null; }
system user assistant tool hello world please write a test for this function and run it again
""".strip().splitlines()

CHAT_TEMPLATE = (
    "{%- if tools %}{{- '<|im_start|>system\\n# Tools\\n' }}"
    "{%- for tool in tools %}{{- tool | tojson }}{{- '\\n' }}{%- endfor %}"
    "{{- '<|im_end|>\\n' }}{%- endif %}"
    "{%- for message in messages %}"
    "{{- '<|im_start|>' + message.role + '\\n' }}"
    "{%- if message.content is string %}{{- message.content }}"
    "{%- elif message.content %}{%- for part in message.content %}{{- part.text }}{%- endfor %}{%- endif %}"
    "{%- if message.tool_calls %}{%- for call in message.tool_calls %}"
    "{{- '\\n<tool_call>' + call.function.name + ' ' }}{{- call.function.arguments | tojson }}{{- '</tool_call>' }}"
    "{%- endfor %}{%- endif %}"
    "{{- '<|im_end|>\\n' }}"
    "{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}"
)

MAX_POSITIONS = 16384


def build_tokenizer() -> Tokenizer:
    """All 256 bytes, so any text has tokens, and the merges of the corpus."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=1024,
        special_tokens=[AddedToken(text, special=True, normalized=False) for text in SPECIALS],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer


def model_config(vocab_size: int) -> dict:
    return {
        "architectures": ["Qwen3ForCausalLM"],
        "model_type": "qwen3",
        # Every id that the noise can bring is then a token with a text.
        "vocab_size": vocab_size,
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 32,
        "hidden_act": "silu",
        "max_position_embeddings": MAX_POSITIONS,
        "rms_norm_eps": 1e-6,
        "rope_theta": 1000000.0,
        "attention_bias": False,
        "attention_dropout": 0.0,
        "tie_word_embeddings": True,
        "use_cache": True,
        "initializer_range": 0.02,
        "bos_token_id": None,
        "eos_token_id": SPECIALS.index("<|im_end|>"),
        "torch_dtype": "float32",
    }


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = build_tokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    files = {
        "config.json": model_config(tokenizer.get_vocab_size()),
        "generation_config.json": {"eos_token_id": SPECIALS.index("<|im_end|>")},
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "eos_token": "<|im_end|>",
            "pad_token": "<|endoftext|>",
            "model_max_length": MAX_POSITIONS,
            "chat_template": CHAT_TEMPLATE,
        },
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
