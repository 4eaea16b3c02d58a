import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { fileTypes } from './files-rules.ts';
import { id, instant, page, pageQuery, text } from './ids.ts';
import {
  activityDays,
  documentKinds,
  invitationDaysMax,
  invitationStates,
  operatorNoteMaxLength,
} from './operator-companies-rules.ts';
import { businesses, riskDimensions, riskMethods, riskWindows } from './risk-rules.ts';

/** Companies as the operator sees them. Part of the feature operator. */

export * from './operator-companies-rules.ts';

const amount = z.object({ asset: z.string(), quantity: z.string() });

export const operatorCompany = z.object({
  id,
  name: z.string(),
  createdAt: instant,
  members: z.number(),
  frozenWallets: z.number(),
  /** Since when the operator has frozen the company itself; null: it is not frozen. */
  frozenAt: z.nullable(instant),
  /** What its wallets hold, in US dollars at present prices; what has no fresh price is left out. */
  usd: z.string(),
  /** Whether something is held that has no fresh price. */
  usdIncomplete: z.boolean(),
  /** The last transaction; null before the first. */
  lastTransactionAt: z.nullable(instant),
});
export type OperatorCompany = z.output<typeof operatorCompany>;

export const listCompanies = call({
  name: 'listCompanies',
  method: 'GET',
  path: '/operator/company',
  summary:
    'Companies by name. The keyword is a part of the name, or in full a company’s id, a member’s email address or an address on a chain.',
  access: 'operator.view',
  query: z.strictObject({ ...pageQuery, keyword: z.optional(text(200)) }),
  output: page(operatorCompany),
  errors: ['cursorInvalid'],
});

export const getCompany = call({
  name: 'getCompany',
  method: 'GET',
  path: '/operator/company/{id}',
  summary: 'The file of a company. The look is in the operator’s audit log, once an hour for each operator.',
  access: 'operator.view',
  params: z.object({ id }),
  output: z.extend(operatorCompany, {
    baseCurrency: z.string(),
    people: z.array(
      z.object({
        id,
        identifier: z.string(),
        name: z.string(),
        email: z.string(),
        role: z.string(),
        department: z.nullable(z.string()),
        disabled: z.boolean(),
        lastSignInAt: z.nullable(instant),
      }),
    ),
    wallets: z.array(
      z.object({
        id,
        asset: z.string(),
        /** The chain or the bank. */
        place: z.string(),
        /** The address on the chain, or the account number at the bank. */
        account: z.nullable(z.string()),
        available: z.string(),
        inTransfer: z.string(),
        arriving: z.string(),
        deficit: z.string(),
        usd: z.nullable(z.string()),
        frozenAt: z.nullable(instant),
        frozenReason: z.nullable(z.string()),
      }),
    ),
    /** Completed transactions of the last twelve months, newest month first; those without a kept value count, and are not in the sums. */
    volume: z.array(z.object({ month: z.string(), in: z.string(), out: z.string(), count: z.number() })),
    /** Fees of the company that are still at its addresses and not collected. */
    fees: z.array(amount),
  }),
  errors: [],
});

const usd = z.string();

export const getCompanyActivity = call({
  name: 'getCompanyActivity',
  method: 'GET',
  path: '/operator/company/{id}/activity',
  summary:
    'Completed transactions of the last days by asset, in whole units and in US dollars at the values kept with them, and the fees charged for them. The look is logged as that of the file.',
  access: 'operator.view',
  params: z.object({ id }),
  query: z.strictObject({ days: z.optional(z.enum(activityDays)) }),
  output: z.object({
    assets: z.array(
      z.object({
        asset: z.string(),
        count: z.number(),
        in: z.string(),
        inUsd: usd,
        out: z.string(),
        outUsd: usd,
        fee: z.string(),
        feeUsd: usd,
        /** Transactions without a kept value: they are not in the sums in US dollars. */
        unvalued: z.number(),
      }),
    ),
    total: z.object({ count: z.number(), inUsd: usd, outUsd: usd, feeUsd: usd, unvalued: z.number() }),
  }),
  errors: [],
});

/** A bound in the unit of its policy: US dollars, coins, a number of transactions. */
const bound = z.nullable(z.string());

export const getCompanyControls = call({
  name: 'getCompanyControls',
  method: 'GET',
  path: '/operator/company/{id}/controls',
  summary:
    'What a company has set for itself: approvals, risk policies and lists, security. Read-only; the look is logged as that of the file.',
  access: 'operator.view',
  params: z.object({ id }),
  output: z.object({
    security: z.object({
      timeZone: z.string(),
      codeRecipient: z.enum(['initiator', 'administrator']),
      waitingHours: z.number(),
      forbidOwnApprovers: z.boolean(),
      approveNewPayees: z.boolean(),
      /** How long the changed account of a payee stays marked. */
      changedPayeeDays: z.number(),
    }),
    review: z.object({
      enabled: z.boolean(),
      expiryDays: z.number(),
      reminderHours: z.number(),
      rules: z.array(
        z.object({
          id,
          name: z.string(),
          active: z.boolean(),
          /** US dollars; from and including. */
          lower: usd,
          upper: z.nullable(usd),
          /** How many of each step's approvers decide. */
          steps: z.array(z.object({ needed: z.number(), approvers: z.array(z.string()) })),
          /** Names of those whom it is for; null: everyone. */
          submittedBy: z.nullable(z.array(z.string())),
        }),
      ),
    }),
    risk: z.object({
      onlyWhitelisted: z.boolean(),
      whitelisted: z.number(),
      blacklisted: z.number(),
      policies: z.array(
        z.object({
          id,
          name: z.string(),
          active: z.boolean(),
          business: z.enum(businesses),
          dimension: z.enum(riskDimensions),
          method: z.enum(riskMethods),
          window: z.enum(riskWindows),
          /** What is named: chains, coins, countries, names of people; null for a range. */
          listed: z.nullable(z.array(z.string())),
          /** The coin or currency of a range; null where it is US dollars or a number. */
          unit: z.nullable(z.string()),
          from: bound,
          to: bound,
          stopped: z.number(),
        }),
      ),
    }),
  }),
  errors: [],
});

export const listCompanyNotes = call({
  name: 'listCompanyNotes',
  method: 'GET',
  path: '/operator/company/{id}/note',
  summary: 'Notes of the operator’s people about a company, newest first. The company never sees them.',
  access: 'operator.view',
  params: z.object({ id }),
  query: z.strictObject(pageQuery),
  output: page(z.object({ id, at: instant, by: z.object({ id, name: z.string() }), text: z.string() })),
  errors: ['cursorInvalid'],
});

export const addCompanyNote = call({
  name: 'addCompanyNote',
  method: 'POST',
  path: '/operator/company/{id}/note',
  summary: 'Adds a note about a company, which stays.',
  access: 'operator.queue',
  params: z.object({ id }),
  body: z.strictObject({ text: text(operatorNoteMaxLength).check(z.trim(), z.minLength(1, 'field.required')) }),
  output: z.object({ id }),
  errors: [],
});

export const listCompanyInvitations = call({
  name: 'listCompanyInvitations',
  method: 'GET',
  path: '/operator/invitation',
  summary: 'Invitation codes for new companies, newest first, without the codes.',
  access: 'operator.view',
  query: z.strictObject({ ...pageQuery, state: z.optional(z.enum(invitationStates)) }),
  output: page(
    z.object({
      id,
      note: z.string(),
      state: z.enum(invitationStates),
      createdAt: instant,
      expiresAt: instant,
      usedAt: z.nullable(instant),
      company: z.nullable(z.object({ id, name: z.string() })),
    }),
  ),
  errors: ['cursorInvalid'],
});

export const inviteNewCompany = call({
  name: 'inviteNewCompany',
  method: 'POST',
  path: '/operator/invitation',
  summary: 'Makes an invitation code for one company. The code is in this response and nowhere else.',
  access: 'operator.invite',
  body: z.strictObject({
    note: text(200),
    days: z.int('field.invalid').check(z.minimum(1, 'field.invalid'), z.maximum(invitationDaysMax, 'field.invalid')),
  }),
  output: z.object({ id, code: z.string(), expiresAt: instant }),
  errors: [],
});

export const revokeCompanyInvitation = call({
  name: 'revokeCompanyInvitation',
  method: 'DELETE',
  path: '/operator/invitation/{id}',
  summary: 'Revokes an invitation code that has not been used.',
  access: 'operator.invite',
  params: z.object({ id }),
  output: nothing,
  errors: [],
});

export const listCompanyDocuments = call({
  name: 'listCompanyDocuments',
  method: 'GET',
  path: '/operator/company/{id}/document',
  summary: 'Papers that the operator keeps about a company, newest first. The company never sees them.',
  access: 'operator.look',
  params: z.object({ id }),
  query: z.strictObject({ ...pageQuery, kind: z.optional(z.enum(documentKinds)) }),
  output: page(
    z.object({
      id,
      kind: z.enum(documentKinds),
      name: z.string(),
      type: z.enum(fileTypes),
      sizeBytes: z.number(),
      at: instant,
      by: z.object({ id, name: z.string() }),
    }),
  ),
  errors: ['cursorInvalid'],
});

export const addCompanyDocument = call({
  name: 'addCompanyDocument',
  method: 'POST',
  path: '/operator/company/{id}/document',
  summary: 'Keeps one file (multipart field `file`: PDF, PNG or JPEG) about a company. It stays.',
  access: 'operator.look',
  params: z.object({ id }),
  query: z.strictObject({ kind: z.enum(documentKinds) }),
  upload: true,
  output: z.object({ id, name: z.string(), sizeBytes: z.number() }),
  errors: ['fileTooLarge', 'fileTypeNotAllowed', 'fileEmpty', 'storageFull'],
});

export const downloadCompanyDocument = call({
  name: 'downloadCompanyDocument',
  method: 'GET',
  path: '/operator/document/{id}',
  summary: 'The file itself, always as an attachment. Each download is in the operator’s audit log.',
  access: 'operator.look',
  params: z.object({ id }),
  output: z.null(),
  answer: 'file',
  errors: [],
});
