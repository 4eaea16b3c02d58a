import { type Clock, systemClock } from '../../../platform/clock.ts';
import { deriveKey } from '../../../platform/crypto/secrets.ts';
import type { CompaniesTx, Database, Tx } from '../../../platform/database/database.ts';
import type { Authenticate, Session } from '../../../platform/session.ts';
import { createCaptcha } from '../captcha.ts';
import { defaultLimits, type Limits } from '../domain.ts';
import { relyingPartyOf } from '../passkeys.ts';
import { createPasswords, type PasswordCost } from '../passwords.ts';
import { findSessionEnd } from '../store/access.ts';
import { issueActivation } from './activation.ts';
import type { ConfirmedSubjects, DescribePlace, FindCodeRecipients, IdentityCore } from './dependencies.ts';
import { describeSecurity } from './proof.ts';
import { openProofs, type ProofHolder, type Proofs, type TransactionProof } from './proofs.ts';
import { authenticateWith } from './session.ts';
import { type TransactionProofRequest, verifyTransactionCode } from './transaction-code.ts';

export interface IdentityOptions {
  database: Database;
  appSecret: string;
  /** Earlier application secrets; authenticators and recovery codes made under them still work. */
  previousAppSecrets?: readonly string[];
  mailSecret: string;
  /** The private RSA key, as JWK, to which browsers encrypt passwords. */
  passwordKey: Record<string, unknown>;
  /** Earlier keys: a page that was open during the rotation still encrypts to one of them. */
  previousPasswordKeys?: readonly Record<string, unknown>[];
  /** Of new passwords; usually that of the product. */
  passwordCost?: PasswordCost | undefined;
  passwordMaxLength: number;
  /** The address under which people open the console: passkeys are made for its host. */
  publicUrl: string;
  /** What codes of other features' subjects confirm; `security` is identity's own. */
  confirmed: ConfirmedSubjects;
  describePlace: DescribePlace;
  findCodeRecipients: FindCodeRecipients;
  limits?: Partial<Limits>;
  clock?: Clock;
}

export interface Identity extends IdentityCore {
  authenticate: Authenticate;
  /** How long a session lasts if its member does nothing more, in milliseconds. */
  sessionEndsIn(session: Session): Promise<number>;
  /** Mails a member the link to set a password, in the given transaction. @returns when it expires */
  issueActivation(tx: Tx, userId: string, purpose: 'activation' | 'reset', by: string): Promise<Date>;
  /** Uses up the code (or the authenticator's step) that proves one transaction, inside the given transaction. */
  verifyTransactionCode(tx: Tx, request: TransactionProofRequest): Promise<TransactionProof>;
  /** The same for the transactions of several members, in one transaction of the database; in one round trip. */
  openProofs: (tx: CompaniesTx, holders: readonly ProofHolder[]) => Promise<Proofs>;
}

export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { database, appSecret, previousAppSecrets = [] } = options;
  const previousKeys = (purpose: string) => previousAppSecrets.map((secret) => deriveKey(secret, purpose));
  const core: IdentityCore = {
    passwords: await createPasswords(options.passwordKey, options.previousPasswordKeys, options.passwordCost),
    passwordMaxLength: options.passwordMaxLength,
    captcha: createCaptcha(database, deriveKey(appSecret, 'captcha')),
    confirmed: { ...options.confirmed, security: { describe: describeSecurity, goesToRecipients: false } },
    describePlace: options.describePlace,
    site: relyingPartyOf(options.publicUrl),
    findCodeRecipients: options.findCodeRecipients,
    limits: { ...defaultLimits, ...options.limits },
    clock: options.clock ?? systemClock,
    keys: {
      code: deriveKey(appSecret, 'code'),
      email: deriveKey(appSecret, 'email'),
      totp: deriveKey(appSecret, 'totp'),
      mail: deriveKey(options.mailSecret, 'mail'),
      ticket: deriveKey(appSecret, 'ticket'),
    },
    previousKeys: { code: previousKeys('code'), totp: previousKeys('totp') },
  };
  return {
    ...core,
    authenticate: authenticateWith(database),
    sessionEndsIn: ({ companyId, id }) => database.withCompany(companyId, (tx) => findSessionEnd(tx, id)),
    issueActivation: (tx, userId, purpose, by) => issueActivation(tx, core, userId, purpose, by),
    verifyTransactionCode: (tx, request) => verifyTransactionCode(tx, core, request),
    openProofs: (tx, holders) => openProofs(tx, core, holders),
  };
}
