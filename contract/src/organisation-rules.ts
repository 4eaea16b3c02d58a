/** The plain rules of members, departments and roles, without a schema library. */

/** `invited`: the password is not set yet; a deleted member is in no list. */
export const memberStatuses = ['invited', 'active', 'disabled'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

export const memberSorts = ['name', 'email', 'createdAt', 'lastLoginAt'] as const;
export type MemberSort = (typeof memberSorts)[number];

/** How long the link of an activation or reset mail holds, in milliseconds: 72 hours. */
export const activationLifetimeMs = 72 * 3_600_000;

/** A department at the top has depth 1. */
export const departmentMaxDepth = 8;
export const departmentNameMaxLength = 60;
export const roleNameMaxLength = 60;

/** Whom the code of a transfer goes to (decisions, "Approvals and risk": the verification subject). */
export const codeRecipients = ['initiator', 'administrator'] as const;
export type CodeRecipient = (typeof codeRecipients)[number];

/** The currencies in which a company can keep its books (decisions, "Transactions"), by ISO 4217. */
export const baseCurrencies = ['USD', 'HKD', 'EUR', 'GBP', 'SGD', 'CNY'] as const;
export type BaseCurrency = (typeof baseCurrencies)[number];

export const defaultTimeZone = 'Asia/Hong_Kong';

/** US dollars: greater than 0, at most two decimals and fifteen digits before them. */
const quotaPattern = /^(?=.*[1-9])\d{1,15}(\.\d{1,2})?$/;

export function isQuota(text: string): boolean {
  return quotaPattern.test(text);
}
