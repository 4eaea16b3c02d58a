/** The plain rules of the operator's pages about companies, without a schema library. Part of the feature operator. */

export const invitationStates = ['open', 'used', 'revoked', 'expired'] as const;
export type InvitationState = (typeof invitationStates)[number];
export const invitationDaysMax = 365;
export const operatorNoteMaxLength = 4000;

/** Papers that the operator keeps about a company. */
export const documentKinds = ['agreement', 'company', 'person', 'funds', 'other'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** The periods, in days, over which a company's activity is added up. */
export const activityDays = ['30', '90', '365'] as const;
