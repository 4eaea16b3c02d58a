import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { chainId, coin, id, instant, page, pageQuery, text } from './ids.ts';
import { isLabel, name } from './names.ts';

/** `waiting`: for a second person's approval; `rejected`: it was not approved. To neither anything is sent. */
export const payeeStatuses = ['usable', 'unusable', 'waiting', 'rejected', 'deleted', 'unknown'] as const;
export type PayeeStatus = (typeof payeeStatuses)[number];

/**
 * What is at an address: none, an ordinary account; token, a token's contract that is not of the list; contract, another
 * one, which may be a smart wallet; unknown, no node said so in time.
 */
export const addressCodes = ['none', 'token', 'contract', 'unknown'] as const;
export type AddressCode = (typeof addressCodes)[number];

const label = name(60).check(z.refine(isLabel, { error: 'field.accountLabel' }));
const remark = text(200);

const address = z
  .string('field.required')
  .check(z.trim(), z.minLength(1, 'field.required'), z.maxLength(128, 'field.tooLong'));

/** An address used before that could be mistaken for this one: same beginning and end, other middle. */
const lookAlike = z.object({ address: z.string(), label: z.string(), payeeId: z.nullable(id) });

export const cryptoPayee = z.object({
  id,
  label: z.string(),
  chain: chainId,
  chainName: z.string(),
  coin,
  address: z.string(),
  remark: z.string(),
  status: z.enum(payeeStatuses),
  /** While it waits for approval, for whom; once it was not approved, why: in the reader's language. Null otherwise. */
  approval: z.nullable(z.object({ taskId: id, waitingFor: z.nullable(z.string()), reason: z.nullable(z.string()) })),
  code: z.enum(addressCodes),
  createdAt: instant,
  createdBy: z.string(),
});
export type CryptoPayee = z.output<typeof cryptoPayee>;

export const listCryptoPayees = call({
  name: 'listCryptoPayees',
  method: 'GET',
  path: '/web/crypto/payee/crypto',
  summary: 'Saved withdrawal addresses, newest first.',
  access: 'payee.view',
  query: z.strictObject({
    ...pageQuery,
    chain: z.optional(chainId),
    coin: z.optional(coin),
    status: z.optional(z.enum(['usable', 'unusable', 'waiting', 'rejected'])),
    keyword: z.optional(text(128)),
  }),
  output: page(cryptoPayee),
  errors: ['cursorInvalid'],
});

export const getCryptoPayee = call({
  name: 'getCryptoPayee',
  method: 'GET',
  path: '/web/crypto/payee/crypto/{id}',
  summary: 'One saved withdrawal address, with look-alikes and what was sent to it.',
  access: 'payee.view',
  params: z.object({ id }),
  output: z.extend(cryptoPayee, {
    lookAlikes: z.array(lookAlike),
    transferCount: z.number(),
    lastTransferAt: z.nullable(instant),
  }),
  errors: ['payeeNotFound'],
});

export const addCryptoPayee = call({
  name: 'addCryptoPayee',
  method: 'POST',
  path: '/web/crypto/payee/crypto',
  summary:
    'Saves a withdrawal address, which waits for approval where new payees need it; the client may choose its id.',
  access: 'payee.manage',
  body: z.strictObject({
    id: z.optional(id),
    label,
    chain: chainId,
    coin,
    address,
    remark: z.optional(remark),
  }),
  output: cryptoPayee,
  errors: [
    'accountBlacklisted',
    'chainUnknown',
    'coinNotOnChain',
    'addressInvalid',
    'addressChecksum',
    'addressNetwork',
    'addressOwn',
    'addressReserved',
    'addressIsToken',
    'payeeExists',
    'payeeNobodyApproves',
    'idTaken',
  ],
});

export const editCryptoPayee = call({
  name: 'editCryptoPayee',
  method: 'PUT',
  path: '/web/crypto/payee/crypto',
  summary:
    'Changes label and remark of a payee. Another address is another payee; old transactions keep the label that they were sent with.',
  access: 'payee.manage',
  body: z.strictObject({ id, label, remark }),
  output: cryptoPayee,
  errors: ['payeeNotFound', 'payeeNotEditable'],
});

export const deleteCryptoPayee = call({
  name: 'deleteCryptoPayee',
  method: 'DELETE',
  path: '/web/crypto/payee/crypto/{id}',
  summary: 'Takes a withdrawal address out of the book; old transactions still name it.',
  access: 'payee.manage',
  params: z.object({ id }),
  output: nothing,
  errors: ['payeeNotFound'],
});

export const checkAddress = call({
  name: 'checkAddress',
  method: 'GET',
  path: '/web/crypto/payee/check-address',
  summary: "Checks an address by its chain's own rule before it is saved, and points out look-alikes.",
  access: 'payee.view',
  /** With a coin it is also compared with the payees of that coin, as saving does. */
  query: z.strictObject({ chain: chainId, coin: z.optional(coin), address }),
  output: z.object({
    /** The address as its chain writes it. */
    address: z.string(),
    knownAs: z.nullable(z.string()),
    lookAlikes: z.array(lookAlike),
    code: z.enum(addressCodes),
  }),
  errors: [
    'accountBlacklisted',
    'chainUnknown',
    'addressInvalid',
    'addressChecksum',
    'addressNetwork',
    'addressOwn',
    'addressReserved',
    'addressIsToken',
    'payeeExists',
  ],
});
