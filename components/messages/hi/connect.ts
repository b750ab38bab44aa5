import type { connect as english } from '../en/connect.ts';
import type { Translation } from '../translation.ts';

export const connect: Translation<typeof english> = {
  title: 'क्लाइंट जोड़ें',
  baseUrl: 'Base URL',
  copyBaseUrl: 'Base URL कॉपी करें',
  model: 'मॉडल',
  client: 'क्लाइंट',
  shell: 'shell',
  hints: {
    'claude-code':
      'वर्शन 2.1.86 से यह अपनी session id ख़ुद भेजता है, और उससे पहले अपने metadata में। CLAUDE_CODE_GATEWAY_HINT_HEADERS से यह बताता है कि उसकी कौन-सी रिक्वेस्ट टर्न हैं और कौन-सी शीर्षक वगैरह। दोनों में से एक block इस्तेमाल करें: एक shell के लिए variables, या हमेशा के लिए उसकी settings।',
    codex: 'सिर्फ़ Responses API बोलता है। Session और thread id ख़ुद भेजता है; subagents को अपना अलग home मिलता है।',
    opencode: 'मौजूदा वर्शन session id ख़ुद भेजते हैं (1.14 और 1.18 भेजते हैं, 1.2 नहीं)।',
    'openai-sdk':
      'ख़ुद कोई session id नहीं भेजता। तब राउटर बातचीत को उसके संदेशों से पहचानता है; x-session-id header में अपनी id, हर टर्न पर वही, ज़्यादा पक्की है।',
    'anthropic-sdk':
      'ख़ुद कोई session id नहीं भेजता। तब राउटर बातचीत को उसके संदेशों से पहचानता है; x-session-id header में अपनी id, हर टर्न पर वही, ज़्यादा पक्की है।',
    curl: 'इसे दो बार चलाएँ: दूसरा जवाब x-warden-decision: sticky कहता है और वही रेप्लिका बताता है।',
  },
  warnings: {
    key: 'API key चाहिए',
    keyDo:
      'यहाँ सही API key के बिना /v1 की रिक्वेस्ट लौटा दी जाती हैं। Key कोई एडमिन बनाता है; YOUR-LM-WARDEN-KEY की जगह अपनी key रखें।',
    context: 'यह मॉडल कुल {tokens} टोकन लेता है, जो {client} के लिए कम है',
    contextDo:
      'उसकी पहली ही रिक्वेस्ट में {first} टोकन हो सकते हैं, और जवाब उसके ऊपर से। मॉडल को कम से कम {least} के --max-model-len के साथ चलाएँ, नहीं तो बातचीतें जल्दी कटेंगी और compact होंगी।',
    linePerRequest: {
      title: '{client} अपना ही prefix cache बिगाड़ता है',
      do: 'वर्शन 2.1.113 से 2.1.179 हर रिक्वेस्ट में system prompt की पहली पंक्ति बदलते हैं, इसलिए उसके बाद का कुछ भी cache में नहीं मिलता। इस मॉडल के लिए pin_billing_line चालू करें, या क्लाइंट में CLAUDE_CODE_ATTRIBUTION_HEADER=0 रखें, या उसे अपडेट करें।',
    },
    linePerConversation: {
      title: '{client} हर बातचीत अलग तरह से शुरू करता है',
      do: 'उसके system prompt की पहली पंक्ति हर बातचीत में अलग है, इसलिए उनका कुछ भी साझा नहीं होता। इस मॉडल के लिए pin_billing_line चालू करें, या क्लाइंट में CLAUDE_CODE_ATTRIBUTION_HEADER=0 रखें।',
    },
    changedPrefix: {
      title: '{client} अपने prompt की शुरुआत बदलता है',
      do: 'उसके पिछले {turns, plural, one {# टर्न} other {# टर्न}} में से {changed} दोबारा पढ़ने पड़े, क्योंकि क्लाइंट ने आगे का हिस्सा बदल दिया था।',
    },
    itsRequests: 'उसकी रिक्वेस्ट देखें',
    unmeasured: 'इंजन नहीं बताता कि उसके cache में क्या था',
    unmeasuredDo:
      'Cache से लिए टोकन “नहीं बताया गया” दिखते हैं। vLLM को <code>--enable-prompt-tokens-details</code> के साथ चलाएँ।',
  },
  first: {
    title: 'पहली रिक्वेस्ट',
    waiting: '{model} के लिए किसी क्लाइंट की पहली रिक्वेस्ट का इंतज़ार …',
    arrived: 'जुड़ गया: {client} ने रिक्वेस्ट भेजी',
    somebody: 'एक क्लाइंट, जो अपना नाम नहीं बताता',
    onReplica: 'रेप्लिका {replica}',
    onEngines: 'रेप्लिका इंजन ने चुनी',
    openSession: 'उसका सेशन खोलें',
    noSession: 'यह किसी सेशन की नहीं है: इसमें कोई key नहीं मिली।',
  },
  test: {
    title: 'टेस्ट टर्न',
    what: 'Session id वाली एक छोटी रिक्वेस्ट, जो इस ब्राउज़र से राउटर के ज़रिए जाती है। दूसरी भी भेजें: affinity चालू हो तो वह उसी रेप्लिका पर जाती है।',
    key: 'टेस्ट टर्न के लिए API key; इसे रखा नहीं जाता',
    send: 'टेस्ट टर्न भेजें',
    sendNext: 'अगला टर्न भेजें',
    waiting: 'इंजन का इंतज़ार…',
    restart: 'नई बातचीत',
    refused: 'टर्न पूरा नहीं हुआ',
    status: 'राउटर ने {status} जवाब दिया।',
    unreachable: 'कोई जवाब नहीं आया। क्या राउटर अब भी चल रहा है?',
    turns: 'टर्न',
    turn: 'टर्न {number}: <strong>रेप्लिका {replica}</strong>',
    turnByEngine: 'टर्न {number}: <strong>रेप्लिका इंजन ने चुनी</strong>',
    noDecision: 'कोई निर्णय नहीं बताया गया',
  },
};
