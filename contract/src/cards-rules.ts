/** Company cards (docs/adr/0102-…): words and figures that need no schema library. */

export const cardKinds = ['virtual', 'physical'] as const;
export type CardKind = (typeof cardKinds)[number];

/**
 * `ordered`: the issuer has not made it yet. `inactive`: a physical card that its holder has not activated. `active`. `closed`: for good. `failed`: the issuer
 * refused to make it. Whether it is frozen or blocked is said beside the state.
 */
export const cardStates = ['ordered', 'inactive', 'active', 'closed', 'failed'] as const;
export type CardState = (typeof cardStates)[number];

/** Who froze a card: a holder lifts their own freeze only. */
export const cardFreezers = ['holder', 'administrator'] as const;
export type CardFreezer = (typeof cardFreezers)[number];

/** Where a physical card is. */
export const cardShippingStates = ['ordered', 'produced', 'shipped', 'delivered', 'returned'] as const;
export type CardShippingState = (typeof cardShippingStates)[number];

/** Why a card is replaced; `expiring`: its date comes near. */
export const cardReplacements = ['lost', 'stolen', 'damaged', 'expiring'] as const;
export type CardReplacement = (typeof cardReplacements)[number];

/** What a rule is for; the rule of the company is for every card. */
export const cardRuleScopes = ['company', 'department', 'role'] as const;
export type CardRuleScope = (typeof cardRuleScopes)[number];

export const cardListModes = ['allow', 'deny'] as const;
export type CardListMode = (typeof cardListModes)[number];

/** Each purchase, each calendar day and month of the company's time zone, and the whole life of the card. */
export const cardLimitNames = ['each', 'day', 'month', 'total'] as const;
export type CardLimitName = (typeof cardLimitNames)[number];

/** What binds a card, for the page that says which rule it is. */
export const cardBounds = [...cardLimitNames, 'categories', 'countries', 'online'] as const;
export type CardBound = (typeof cardBounds)[number];

/**
 * Why an attempt was declined, in the order in which they are looked for. `unavailable`: in doubt, such as an error or an answer that came too late. `issuer`: the
 * issuer itself declined it.
 */
export const cardDeclineReasons = [
  'restoring',
  'companyFrozen',
  'walletFrozen',
  'holderInactive',
  'cardInactive',
  'cardClosed',
  'cardFrozenByHolder',
  'cardFrozenByAdministrator',
  'cardBlocked',
  'cardExpired',
  'currency',
  'category',
  'country',
  'online',
  'limitEach',
  'limitDay',
  'limitMonth',
  'limitTotal',
  'funds',
  'unavailable',
  'issuer',
  'fraud',
] as const;
export type CardDeclineReason = (typeof cardDeclineReasons)[number];

/** An attempt as the list of a card shows it: declined; held; paid, in whole or in part; released without a payment; refunded by the merchant. */
export const cardPaymentStates = ['declined', 'held', 'paid', 'released', 'refunded', 'refundReversed'] as const;
export type CardPaymentState = (typeof cardPaymentStates)[number];

/** `missing`: paid, and without a receipt. `waived`: a person said that there is none. */
export const cardReceiptStates = ['none', 'missing', 'matched', 'waived'] as const;
export type CardReceiptState = (typeof cardReceiptStates)[number];

/**
 * How a purchase came to what had not been approved, the first that is so. `unasked`: cleared without an approval. `above`: cleared for more than was held.
 * `released`: cleared once nothing was held any more. `byIssuer`: the issuer approved it without asking.
 */
export const cardForcedHows = ['unasked', 'above', 'released', 'byIssuer'] as const;
export type CardForcedHow = (typeof cardForcedHows)[number];

/** What a pending change of a card or rule shows, by field. */
export const cardControlFields = [
  'cardHolder',
  'cardName',
  'cardWallet',
  'cardKind',
  'cardLimitEach',
  'cardLimitDay',
  'cardLimitMonth',
  'cardLimitTotal',
  'cardCategoriesAllow',
  'cardCategoriesDeny',
  'cardCountriesAllow',
  'cardCountriesDeny',
  'cardOnline',
  'cardValidUntil',
  'cardScope',
] as const;

export const cardNameMaxLength = 60;
export const cardNoteMaxLength = 200;
export const cardMerchantMaxLength = 200;
/** So many cards of a company are not closed at most. */
export const mostCards = 500;
/** So long the issuer's page with the card number can be opened. */
export const cardFrameSeconds = 60;
/** After so many days without a receipt the holder is reminded, once. */
export const cardReceiptReminderDays = 7;

/**
 * Groups of merchant category codes (ISO 18245), each code in one; what is in none is `other`. Ranges include both ends. Their names are texts of the web app,
 * `cards.category.<name>`.
 */
export const merchantGroups = {
  airlines: [
    [3000, 3350],
    [4511, 4511],
    [4582, 4582],
  ],
  lodging: [
    [3501, 3999],
    [7011, 7012],
    [7032, 7033],
  ],
  carRental: [
    [3351, 3500],
    [7512, 7519],
  ],
  transport: [
    [4011, 4011],
    [4111, 4112],
    [4121, 4131],
    [4411, 4411],
    [4457, 4468],
    [4784, 4789],
    [7523, 7523],
  ],
  travel: [[4722, 4723]],
  fuel: [
    [5541, 5542],
    [5552, 5552],
    [5983, 5983],
  ],
  freight: [
    [4214, 4225],
    [9402, 9402],
  ],
  groceries: [
    [5300, 5300],
    [5411, 5499],
  ],
  restaurants: [
    [5811, 5812],
    [5814, 5814],
  ],
  bars: [
    [5813, 5813],
    [5921, 5921],
  ],
  shops: [
    [5200, 5299],
    [5309, 5399],
    [5511, 5533],
    [5571, 5733],
    [5735, 5735],
    [5931, 5942],
    [5944, 5959],
    [5961, 5966],
    [5968, 5974],
    [5978, 5978],
    [5992, 5999],
  ],
  software: [
    [4816, 4816],
    [5734, 5734],
    [5815, 5818],
    [7372, 7379],
  ],
  electronics: [[5045, 5046]],
  office: [
    [5021, 5021],
    [5044, 5044],
    [5111, 5111],
    [5943, 5943],
  ],
  advertising: [
    [7311, 7311],
    [7333, 7338],
  ],
  telecoms: [
    [4812, 4815],
    [4821, 4821],
    [4899, 4900],
  ],
  professional: [
    [7361, 7361],
    [7389, 7399],
    [8111, 8111],
    [8911, 8999],
  ],
  insurance: [
    [5960, 5960],
    [6300, 6300],
    [6381, 6399],
  ],
  health: [
    [4119, 4119],
    [5122, 5122],
    [5912, 5912],
    [5975, 5977],
    [8011, 8099],
  ],
  education: [[8211, 8299]],
  entertainment: [
    [7829, 7841],
    [7911, 7994],
    [7996, 7999],
  ],
  membership: [[8398, 8699]],
  government: [
    [9211, 9399],
    [9405, 9405],
  ],
  cash: [[6010, 6012]],
  transfers: [
    [4829, 4829],
    [6050, 6051],
    [6211, 6211],
    [6532, 6540],
  ],
  gambling: [
    [7800, 7802],
    [7995, 7995],
    [9406, 9406],
    [9754, 9754],
  ],
  adult: [
    [5967, 5967],
    [7273, 7273],
    [7297, 7297],
  ],
} as const satisfies Record<string, readonly (readonly [number, number])[]>;

export type MerchantGroup = keyof typeof merchantGroups | 'other';
export const merchantGroupNames = [...Object.keys(merchantGroups), 'other'] as readonly MerchantGroup[] as readonly [
  MerchantGroup,
  ...MerchantGroup[],
];

/** Which group a code is in; the first that has it. */
export function merchantGroupOf(mcc: string): MerchantGroup {
  const code = /^\d{4}$/.test(mcc) ? Number(mcc) : -1;
  for (const [name, ranges] of Object.entries(merchantGroups)) {
    if (ranges.some(([from, to]) => code >= from && code <= to)) return name as MerchantGroup;
  }
  return 'other';
}
