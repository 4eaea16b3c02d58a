/** The plain rules of the operator's console, without a schema library. Part of the feature operator. */

import { type ExceptionAct, exceptionActs } from './operator-exceptions-rules.ts';

/** The roles of an operator's staff (docs/DECISIONS.md, "Operator"). */
export const operatorRoles = ['viewer', 'support', 'treasury', 'compliance', 'administrator'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/**
 * What a role of the operator may allow. They share no name with the permissions of a company's roles, so that the session of
 * one never opens a call of the other.
 */
export const operatorPermissions = [
  'operator.view',
  'operator.queue',
  'operator.look',
  'operator.freeze',
  'operator.exception',
  'operator.invite',
  'operator.treasury',
  'operator.price',
  'operator.announce',
  'operator.confirm',
  'operator.staff',
  'operator.audit',
] as const;
export type OperatorPermission = (typeof operatorPermissions)[number];

/**
 * What each role may do. `operator.view`: every page that shows and changes nothing. `operator.confirm`: to decide on what a
 * colleague proposed, where one could have proposed it oneself (`confirmPermissions`).
 */
export const operatorPermissionsOf: Record<OperatorRole, readonly OperatorPermission[]> = {
  viewer: ['operator.view'],
  support: [
    'operator.view',
    'operator.queue',
    'operator.look',
    'operator.exception',
    'operator.invite',
    'operator.announce',
    'operator.confirm',
  ],
  treasury: [
    'operator.view',
    'operator.queue',
    'operator.exception',
    'operator.treasury',
    'operator.price',
    'operator.confirm',
  ],
  compliance: [
    'operator.view',
    'operator.queue',
    'operator.look',
    'operator.freeze',
    'operator.exception',
    'operator.audit',
    'operator.confirm',
  ],
  administrator: operatorPermissions,
};

export const operatorNameMaxLength = 80;
export const operatorReasonMaxLength = 500;

/** A session ends after this many idle minutes, as in the companies' console, and after this many hours in any case. */
export const operatorIdleMinutes = 15;
export const operatorSessionHours = 12;

/** What proves an operator beside the password; always one of them. */
export const operatorFactors = ['authenticator', 'passkey'] as const;
export type OperatorFactor = (typeof operatorFactors)[number];

/** What one operator proposes and another confirms. Each later part of the console adds its kinds. */
export const proposalKinds = [
  'staff.invite',
  'staff.role',
  'staff.reactivate',
  'staff.reset',
  'company.unfreeze',
  'wallet.unfreeze',
  'member.unfreeze',
  'treasury.addAddress',
  'fees.withdraw',
  'tank.threshold',
  ...exceptionActs,
  'bankMoney.credit',
  'bankMoney.return',
  'bankMoney.fees',
  'bankMoney.cards',
  'bankMoney.cardsBack',
  'bankMoney.feesBack',
  'bankMoney.withdraw',
  'bankFile.take',
  'price.change',
  'switch.on',
  'exchange.limit',
  'exchange.terms',
] as const;
export type ProposalKind = (typeof proposalKinds)[number];

const perAct = Object.fromEntries(exceptionActs.map((act) => [act, 'operator.exception'])) as Record<
  ExceptionAct,
  'operator.exception'
>;

/** What both people, the proposer and the confirmer, must hold. */
export const proposalPermissions: Record<ProposalKind, OperatorPermission> = {
  ...perAct,
  'staff.invite': 'operator.staff',
  'staff.role': 'operator.staff',
  'staff.reactivate': 'operator.staff',
  'staff.reset': 'operator.staff',
  'company.unfreeze': 'operator.freeze',
  'wallet.unfreeze': 'operator.freeze',
  'member.unfreeze': 'operator.freeze',
  'treasury.addAddress': 'operator.treasury',
  'fees.withdraw': 'operator.treasury',
  'tank.threshold': 'operator.treasury',
  'bankMoney.credit': 'operator.exception',
  'bankMoney.return': 'operator.exception',
  'bankMoney.fees': 'operator.treasury',
  'bankMoney.cards': 'operator.treasury',
  'bankMoney.cardsBack': 'operator.treasury',
  'bankMoney.feesBack': 'operator.treasury',
  'bankMoney.withdraw': 'operator.treasury',
  'bankFile.take': 'operator.exception',
  'price.change': 'operator.price',
  'switch.on': 'operator.price',
  'exchange.limit': 'operator.treasury',
  'exchange.terms': 'operator.price',
};

/**
 * `stale`: what it was proposed about had changed when it was to be confirmed. `expired`: not decided within
 * `proposalLifetimeDays`.
 */
export const proposalStates = ['open', 'confirmed', 'rejected', 'withdrawn', 'stale', 'expired'] as const;
export type ProposalState = (typeof proposalStates)[number];
export const proposalLifetimeDays = 7;

/** What became of a confirmed proposal that the worker carries out. */
export const actStates = ['pending', 'done', 'refused'] as const;
export type ActState = (typeof actStates)[number];

export const operatorStates = ['invited', 'active', 'disabled'] as const;
export type OperatorState = (typeof operatorStates)[number];
