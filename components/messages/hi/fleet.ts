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
    'हर वार्डन अपनी जानकारी के साथ चलता रहता है; नई बातचीत उनके हैश से रखी जाती हैं, ताकि सब उन्हें एक ही जगह रखें। इस बीच दूसरों के जारी अनुरोध नहीं गिने जाते।',
  warden: 'वार्डन',
  thisOne: 'यही',
  version: 'संस्करण',
  started: 'शुरू हुआ',
  inFlight: 'जारी',
  held: 'रोके हुए',
  placedHere: 'सक्रिय सत्र',
  placedHereUnit: 'जो पहले वहाँ रखे गए',
  total: 'सभी वार्डन',
  replicas: 'जारी अनुरोध',
  replicasNote: 'रेप्लिका के अनुसार: इस वार्डन की अपनी गिनती, और दूसरों ने आखिरी बार जो बताया',
  model: 'मॉडल',
  replica: 'रेप्लिका',
  here: 'यह वार्डन',
  elsewhere: 'दूसरे वार्डन',
  together: 'कुल',
  whose: 'ये संख्याएँ किसकी हैं?',
  whoseOwn:
    'अनुरोध, आँकड़े, निर्णय और समय इसी वार्डन के हैं: जो इसने खुद भेजा और सहेजा। सत्र, सक्रिय सत्र और cache में क्या समाता है, इनमें वह भी है जो दूसरों ने बताया (16 वार्डन तक के फ़्लीट में)। पूरे फ़्लीट के इतिहास के लिए Prometheus इस्तेमाल करें; scrape configuration और बोर्ड deploy/ में हैं।',
  whoseFleet:
    'घर, affinity, threshold और cache-fit की सेटिंग, खाली कराई जा रही रेप्लिका और रोके गए टर्न की कतार पूरे फ़्लीट की हैं: एक वार्डन पर किया बदलाव सब पर लागू होता है। running, waiting और KV उपयोग इंजन के हैं, अनुरोध चाहे किसी ने भी भेजे हों।',
};
