import type { fleet as english } from '../en/fleet.ts';
import type { Translation } from '../translation.ts';

export const fleet: Translation<typeof english> = {
  alone: 'यह वार्डन अकेला है',
  aloneHint:
    'एक ही इंजनों के आगे लगे कई वार्डन यह साझा कर सकते हैं कि कौन-सी बातचीत कहाँ रहती है। हर एक पर WARDEN_SHARED=redis://host:6379 रखें (Valkey या Redis); तरीका docs/fleet.md में है।',
  wardens: 'वार्डन',
  wardensNote: '{count, plural, one {# वार्डन} other {# वार्डन}} एक ही मेमोरी साझा करते हैं',
  memoryUp: 'साझा मेमोरी चालू है',
  memoryAway: 'साझा मेमोरी उपलब्ध नहीं है',
  memoryAwayHint:
    'हर वार्डन अपनी जानकारी के साथ चलता रहता है; नई बातचीत उनके हैश से रखी जाती हैं, ताकि सब उन्हें एक ही जगह रखें। इस बीच दूसरों की जारी रिक्वेस्ट नहीं गिनी जातीं।',
  warden: 'वार्डन',
  thisOne: 'यही',
  version: 'वर्शन',
  started: 'शुरू हुआ',
  inFlight: 'जारी',
  held: 'रोके हुए',
  placedHere: 'सक्रिय सेशन',
  placedHereUnit: 'जो पहले वहाँ रखे गए',
  total: 'सभी वार्डन',
  totalOf: '{all} में से {read} वार्डन',
  took: 'पिछले 15 मिनट, वार्डन के अनुसार',
  tookNote: 'हर वार्डन की अपनी गिनती, उसी से पूछी गई',
  allModels: 'सभी मॉडल',
  requests: 'रिक्वेस्ट',
  sticky: 'Sticky',
  placed: 'Placed',
  spilled: 'Spilled',
  otherDecisions: 'अन्य',
  failed: 'असफल',
  hitShare: 'Cache hit',
  promptTokens: 'Prompt टोकन',
  promptTokensUnit: 'cached · computed',
  completionTokens: 'Completion',
  firstByte: 'पहला बाइट',
  alerts: 'अलर्ट',
  notRead: 'नहीं पढ़ा गया।',
  notServed: 'यह वार्डन इस मॉडल को नहीं चलाता',
  nothingMeasured: 'पिछले 15 मिनट में कुछ नहीं मापा गया',
  problems: {
    refused_address: 'इसका पता ऐसा है जिससे जुड़ा नहीं जाता।',
    unreachable: 'इस तक पहुँचा नहीं जा सका।',
    late: 'इसने समय पर जवाब नहीं दिया।',
    redirect: 'यह कहीं और भेजता है; वहाँ नहीं जाया जाता।',
    refused: 'इसने इस वार्डन को अपने फ़्लीट का नहीं माना: सभी पर WARDEN_SHARED_SECRET में एक ही secret रखें।',
    unknown_host: 'यह अपने URL वाले नाम से नहीं जाना जाता: वह नाम इसके WARDEN_ALLOWED_HOSTS में जोड़ें।',
    older: 'इसका वर्शन पुराना है, जो यह नहीं बताता।',
    failed: '{status, plural, =0 {इसका डेटाबेस पढ़ा नहीं जा सका।} other {इसने HTTP # जवाब दिया।}}',
    not_understood: 'इसका जवाब समझ में नहीं आया; शायद वर्शन दूसरा है, या यह वार्डन नहीं है।',
    another:
      'इसके URL पर कोई दूसरा वार्डन जवाब देता है: हर एक के WARDEN_ADVERTISE_URL या WARDEN_MEMBER_URL में उसका अपना पता रखें।',
    needs_secret: 'पासवर्ड है पर secret नहीं: सभी वार्डन पर WARDEN_SHARED_SECRET में एक ही secret रखें।',
    not_asked: 'जितने वार्डन से पूछा जाता है, उससे ज़्यादा वार्डन हैं।',
  },
  replicas: 'जारी रिक्वेस्ट',
  replicasNote: 'रेप्लिका के अनुसार: इस वार्डन की अपनी गिनती, और दूसरों ने आखिरी बार जो बताया',
  model: 'मॉडल',
  replica: 'रेप्लिका',
  here: 'यह वार्डन',
  elsewhere: 'दूसरे वार्डन',
  together: 'कुल',
  whose: 'ये संख्याएँ किसकी हैं?',
  whoseOwn:
    'रिक्वेस्ट, आँकड़े, निर्णय और समय इसी वार्डन के हैं: जो इसने खुद भेजा और सहेजा। सेशन, सक्रिय सेशन और cache में क्या समाता है, इनमें वह भी है जो दूसरों ने बताया (16 वार्डन तक के फ़्लीट में)। पूरे फ़्लीट के इतिहास के लिए Prometheus इस्तेमाल करें; scrape configuration और बोर्ड deploy/ में हैं।',
  whoseTook:
    'वार्डन के अनुसार पिछले 15 मिनट हर वार्डन की अपनी गिनती हैं: यह वार्डन बाकी से हर कुछ सेकंड में उनके API से पूछता है। आख़िरी पंक्ति उनका जोड़ है जो पढ़े जा सके, और बताती है कि वे कितने हैं। अन्य: balanced, client-pinned, failed over या unrouted।',
  whoseFleet:
    'Home, affinity, threshold और cache-fit की सेटिंग, ड्रेन हो रही रेप्लिका और रोके गए टर्न की कतार पूरे फ़्लीट की हैं: एक वार्डन पर किया बदलाव सब पर लागू होता है। running, waiting और KV उपयोग इंजन के हैं, रिक्वेस्ट चाहे किसी ने भी भेजी हों।',
  accessShared:
    'API key, लोग और साइन-इन पूरे फ़्लीट के हैं: जो एक वार्डन पर साइन इन करता है, वह सब पर साइन इन है। ऑडिट सूची और हर key का उपयोग इसी वार्डन के हैं।',
  accessOwn:
    'API key और लोग इसी वार्डन के हैं: यहाँ बनी key दूसरों को पता नहीं। सभी वार्डन पर WARDEN_SHARED_SECRET में एक ही secret रखें, तब ये साझा होंगे।',
  keysShared:
    'ये key फ़्लीट के हर वार्डन पर मान्य हैं। सीमा सभी वार्डन पर मिलाकर गिनी जाती है; दूसरों पर जो आया, वह चौथाई सेकंड तक देर से जुड़ता है: कई वार्डन पर एक साथ आया बर्स्ट सीमा को उतना पार कर सकता है। साझा मेमोरी उपलब्ध न हो तो हर वार्डन सीमा का अपना हिस्सा देता है। Key आखिरी बार कब इस्तेमाल हुई और कितना, यह इसी वार्डन का है।',
};
