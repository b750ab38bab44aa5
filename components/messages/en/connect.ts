export const connect = {
  title: 'Connect a client',
  baseUrl: 'Base URL',
  copyBaseUrl: 'Copy base URL',
  model: 'Model',
  client: 'Client',
  shell: 'shell',
  hints: {
    'claude-code':
      'Sends its session id by itself from version 2.1.86 on, and in its metadata before that. CLAUDE_CODE_GATEWAY_HINT_HEADERS makes it say which of its requests are turns and which are titles and the like. Use one of the two blocks: variables for one shell, or its settings for good.',
    codex: 'Speaks the Responses API only. Sends session and thread ids by itself; subagents get a home of their own.',
    opencode: 'Sends a session id by itself in current versions (1.14 and 1.18 do, 1.2 does not).',
    'openai-sdk':
      'Sends no session id by itself. The router then knows a conversation by its messages; an id of your own in the header x-session-id, the same on every turn, is surer.',
    'anthropic-sdk':
      'Sends no session id by itself. The router then knows a conversation by its messages; an id of your own in the header x-session-id, the same on every turn, is surer.',
    curl: 'Run it twice: the second answer says x-warden-decision: sticky and names the same replica.',
  },
  warnings: {
    key: 'A key is needed',
    keyDo:
      'Requests to /v1 without a valid API key are refused here. An admin makes keys; put yours in place of YOUR-LM-WARDEN-KEY.',
    context: 'This model takes {tokens} tokens in all, which is little for {client}',
    contextDo:
      'Its first request alone may have {first} tokens, and the answer comes on top. Serve the model with a --max-model-len of at least {least}, or expect conversations that are cut short and compacted soon.',
    linePerRequest: {
      title: '{client} spoils its own prefix cache',
      do: 'Versions 2.1.113 to 2.1.179 change the first line of the system prompt with every request, so nothing behind it is found in the cache. Set pin_billing_line for this model, or CLAUDE_CODE_ATTRIBUTION_HEADER=0 in the client, or update it.',
    },
    linePerConversation: {
      title: '{client} begins every conversation differently',
      do: 'The first line of its system prompt differs between conversations, so they share nothing. Set pin_billing_line for this model, or CLAUDE_CODE_ATTRIBUTION_HEADER=0 in the client.',
    },
    changedPrefix: {
      title: '{client} changes the beginning of its prompts',
      do: 'Of its last {turns, plural, one {# turn} other {# turns}}, {changed} had to be read anew because the client had changed what stands in front.',
    },
    itsRequests: 'See its requests',
    unmeasured: 'The engine does not say what it had cached',
    unmeasuredDo: 'Cached tokens show as not reported. Start vLLM with <code>--enable-prompt-tokens-details</code>.',
  },
  first: {
    title: 'First request',
    waiting: 'Waiting for the first request of a client to {model} …',
    arrived: 'Connected: {client} has sent a request',
    somebody: 'a client that does not name itself',
    onReplica: 'replica {replica}',
    onEngines: 'replica chosen by the engine',
    openSession: 'Open its session',
    noSession: 'It belongs to no session: no key was found in it.',
  },
  test: {
    title: 'Test turn',
    what: 'A small request with a session id, sent from this browser through the router. Send a second one: with affinity on it goes to the same replica.',
    key: 'API key for the test turn; it is not kept',
    send: 'Send a test turn',
    sendNext: 'Send the next turn',
    waiting: 'Waiting for the engine…',
    restart: 'New conversation',
    refused: 'The turn was not served',
    status: 'The router answered {status}.',
    unreachable: 'No answer came. Is the router still running?',
    turns: 'Turns',
    turn: 'Turn {number}: <strong>replica {replica}</strong>',
    turnByEngine: 'Turn {number}: <strong>replica chosen by the engine</strong>',
    noDecision: 'no decision named',
  },
} as const;
