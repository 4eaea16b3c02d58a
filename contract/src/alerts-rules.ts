/** What members can choose to be alerted of, without a schema library. */
export const alerts = ['lowBalance', 'largeIncoming', 'newPayee', 'dailyDigest'] as const;
export type Alert = (typeof alerts)[number];

/** From which value on a deposit is large for a member who chose no other; US dollars. */
export const largeIncomingDefault = '10000.00';
/** The hour of the company's time zone at which the daily digest is sent to a member who chose no other. */
export const digestHourDefault = 9;
