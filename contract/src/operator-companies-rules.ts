/** The plain rules of the operator's pages about companies, without a schema library. Part of the feature operator. */

export const invitationStates = ['open', 'used', 'revoked', 'expired'] as const;
export type InvitationState = (typeof invitationStates)[number];
export const invitationDaysMax = 365;
export const operatorNoteMaxLength = 4000;
