import { parseArgs } from 'node:util';
import { type FreezeKind, freezeReasons } from '@causeway/contract/freeze-rules.ts';
import { text } from '@causeway/contract/ids.ts';
import { staffInvitation } from '@causeway/contract/operator.ts';
import * as z from 'zod/mini';
import type { DomainError } from '../../platform/domain-error.ts';
import { translate } from '../../platform/text/texts.ts';
import { UsageError } from './command-errors.ts';
import type { CommandContext, OperatorContext } from './service.ts';
import { asTable } from './table.ts';

/** What a command does is loaded when it runs: to make an invitation, no chain and no bank. */
const bankFiles = () => import('./bank-files.ts');
const freezingCommands = () => import('./freezing/command.ts');
const invitations = () => import('./invitations.ts');
const payments = () => import('./payments.ts');
const restore = () => import('./restore.ts');
const service = () => import('./service.ts');
const staff = () => import('./staff.ts');

export const usage = `The operator's command line. Every change is written to the audit trail.

  invitation create [--label TEXT] [--days 14] [--count 1]
                                                   makes codes, each for one company, and shows them once
  invitation list
  invitation revoke ID
  asset list                                       fees and minimums in force
  asset set-fee COIN CHAIN AMOUNT                  the fee of a withdrawal, in the coin itself
  asset set-minimum ASSET AMOUNT                   transfers must be greater, recharges at least this
  transfers stuck [--minutes 30]                   transfers that have not moved for so long, and why
  payments held                                    addresses from which nothing is sent, and why
  payments unexplained                             payments on the chain that no payment of ours explains
  payments match ID TRANSFER                       it is the payment of this transfer, which is settled as if we had sent it
  payments match --journaled                       the same for every one that the signer's journal names
  payments book ID --reason TEXT                   it leaves the company's books, as a transaction that the company sees
  payments release TRANSFER --reason TEXT          gives back a transfer whose nonce another transaction used for good
  payments accept-nonce CHAIN ADDRESS NONCE --reason TEXT
                                                   transactions below this nonce were made outside and need no booking
  restore status                                   whether sending is off after a restore, and what must be true to release it
  restore begin --reason TEXT                      the database was put back to an earlier moment: nothing is sent
  restore resend TRANSFER --reason TEXT            a payment that was signed and whose transfer was lost is offered to the nodes again
  restore release --reason TEXT                    sending again; refused while anything is missing
  staff add --name NAME --email EMAIL --role ROLE [--language en_US]
                                                   an account of the operator's console, and its link, shown once; roles: viewer,
                                                   support, treasury, compliance, administrator
  staff list
  staff reset EMAIL                                a new link in place of password, authenticator and passkeys
  staff disable EMAIL --reason TEXT                ends every session
  wallet list [--company ID]                       a company's wallets, or every frozen one
  wallet freeze ID --reason TEXT [--cause compliance]
                                                   nothing leaves it; the company reads the cause, never the reason; causes: asked,
                                                   compromise, authority, compliance, reversal
  company freeze ID --reason TEXT [--cause compliance]
                                                   the same for all wallets of a company, whose controls stay as they are
  member freeze ID --reason TEXT [--cause compliance]
                                                   ends a member's sessions; the company cannot enable them
  wallet unfreeze ID, company unfreeze ID, member unfreeze ID
                                                   where fewer than two operators could do it in the console, as two should
  bank import FILE [--bank BANK]                   takes a bank's file in, once; the worker reads it within seconds
  bank import FILE --dry-run                       what a bank's file says (camt.053, camt.054, pain.002), as JSON; nothing is stored.
                                                   Needs no database
  announcement publish --en TITLE --en TEXT --hk TITLE --hk TEXT --cn TITLE --cn TEXT
                                                   to every company: a notice, and a mail to who wants it

  --json   answers as JSON instead of text
`;

const options = {
  json: { type: 'boolean' },
  help: { type: 'boolean' },
  label: { type: 'string' },
  days: { type: 'string' },
  count: { type: 'string' },
  minutes: { type: 'string' },
  company: { type: 'string' },
  reason: { type: 'string' },
  cause: { type: 'string' },
  journaled: { type: 'boolean' },
  name: { type: 'string' },
  email: { type: 'string' },
  role: { type: 'string' },
  language: { type: 'string' },
  en: { type: 'string', multiple: true },
  hk: { type: 'string', multiple: true },
  cn: { type: 'string', multiple: true },
  'dry-run': { type: 'boolean' },
  bank: { type: 'string' },
} as const;

type Values = ReturnType<typeof parse>['values'];

interface Form {
  /** How many words follow the command's two; several numbers where there are several ways. */
  words: number | readonly number[];
  options: readonly (keyof typeof options)[];
}

interface Command<Context = OperatorContext> extends Form {
  run(context: Context, words: readonly string[], values: Values): Promise<unknown>;
}

const freezing = (kind: FreezeKind): Record<string, Command> => ({
  [`${kind} freeze`]: {
    words: 1,
    options: ['reason', 'cause'],
    run: async (context, [id], { reason, cause }) =>
      (await freezingCommands()).freezeByCommand(context, kind, uuid(id), {
        cause: causeOf(cause),
        note: line(reason ?? ''),
      }),
  },
  [`${kind} unfreeze`]: {
    words: 1,
    options: [],
    run: async (context, [id]) => (await freezingCommands()).unfreezeByCommand(context, kind, uuid(id)),
  },
});

/** Commands that ask no chain. */
const plainCommands: Record<string, Command<CommandContext>> = {
  'invitation create': {
    words: 0,
    options: ['label', 'days', 'count'],
    run: async (context, _, { label = 'invitation', days, count }) => {
      const { inviteCompany } = await invitations();
      const make = () => inviteCompany(context, line(label), whole(days, 14, 3650));
      return count === undefined ? make() : Promise.all(Array.from({ length: whole(count, 1, 100) }, make));
    },
  },
  'invitation list': { words: 0, options: [], run: async (context) => (await invitations()).showInvitations(context) },
  'invitation revoke': {
    words: 1,
    options: [],
    run: async (context, [id]) => (await invitations()).withdrawInvitation(context, uuid(id)),
  },
  'staff add': {
    words: 0,
    options: ['name', 'email', 'role', 'language'],
    run: async (context, _, { name, email, role, language = 'en_US' }) => {
      const given = staffInvitation.safeParse({ name, email, role, language });
      if (!given.success) {
        const wrong = [...new Set(given.error.issues.map(({ path }) => `--${String(path[0])}`))];
        throw new UsageError(`Missing or not usable: ${wrong.join(', ')}.`);
      }
      return (await staff()).addStaff(context, consoleUrl(context), given.data);
    },
  },
  'staff list': { words: 0, options: [], run: async (context) => (await staff()).showStaff(context) },
  'staff reset': {
    words: 1,
    options: [],
    run: async (context, [email = '']) => (await staff()).resetStaff(context, consoleUrl(context), email),
  },
  'staff disable': {
    words: 1,
    options: ['reason'],
    run: async (context, [email = ''], { reason }) => (await staff()).disableStaff(context, email, line(reason ?? '')),
  },
};

const commands: Record<string, Command> = {
  'asset list': { words: 0, options: [], run: async (context) => (await service()).showAssets(context) },
  'asset set-fee': {
    words: 3,
    options: [],
    run: async (context, [coin = '', chain = '', amount = '']) =>
      (await service()).setFee(context, coin, chain, amount),
  },
  'asset set-minimum': {
    words: 2,
    options: [],
    run: async (context, [coin = '', amount = '']) => (await service()).setMinimum(context, coin, amount),
  },
  'transfers stuck': {
    words: 0,
    options: ['minutes'],
    run: async (context, _, { minutes }) => (await service()).showStuck(context, whole(minutes, 30, 525_600)),
  },
  'payments held': { words: 0, options: [], run: async (context) => (await payments()).showHeld(context) },
  'payments unexplained': {
    words: 0,
    options: [],
    run: async (context) => (await payments()).showUnexplained(context),
  },
  'payments match': {
    words: [0, 2],
    options: ['journaled'],
    run: async (context, [id, transfer], { journaled = false }) => {
      if (journaled === (id !== undefined)) throw new UsageError('Name a payment and a transfer, or say --journaled.');
      const { matchJournaled, matchPayment } = await payments();
      return journaled ? matchJournaled(context) : matchPayment(context, uuid(id), uuid(transfer));
    },
  },
  'payments book': {
    words: 1,
    options: ['reason'],
    run: async (context, [id], { reason }) => (await payments()).bookPayment(context, uuid(id), line(reason ?? '')),
  },
  'payments release': {
    words: 1,
    options: ['reason'],
    run: async (context, [id], { reason }) => (await payments()).releaseTransfer(context, uuid(id), line(reason ?? '')),
  },
  'payments accept-nonce': {
    words: 3,
    options: ['reason'],
    run: async (context, [chain = '', address = '', nonce], { reason }) =>
      (await payments()).acceptNonce(context, {
        chain,
        address,
        nonce: whole(nonce, 0, 9_999_999),
        reason: line(reason ?? ''),
      }),
  },
  'restore status': { words: 0, options: [], run: async (context) => (await restore()).showRestore(context) },
  'restore begin': {
    words: 0,
    options: ['reason'],
    run: async (context, _, { reason }) => (await restore()).beginRestore(context, line(reason ?? '')),
  },
  'restore resend': {
    words: 1,
    options: ['reason'],
    run: async (context, [id], { reason }) => (await restore()).resendPayment(context, uuid(id), line(reason ?? '')),
  },
  'restore release': {
    words: 0,
    options: ['reason'],
    run: async (context, _, { reason }) => (await restore()).releaseRestore(context, line(reason ?? '')),
  },
  'wallet list': {
    words: 0,
    options: ['company'],
    run: async (context, _, { company }) =>
      (await service()).showWallets(context, company === undefined ? undefined : uuid(company)),
  },
  ...freezing('wallet'),
  ...freezing('company'),
  ...freezing('member'),
  'bank import': {
    words: 1,
    options: ['bank'],
    run: async ({ database }, [file = ''], { bank }) => (await bankFiles()).importBankFile(database, file, bank),
  },
  'announcement publish': {
    words: 0,
    options: ['en', 'hk', 'cn'],
    run: async (context, _, { en, hk, cn }) =>
      (await service()).publish(context, {
        'en-us': titled(en, 'en'),
        'zh-hk': titled(hk, 'hk'),
        'zh-cn': titled(cn, 'cn'),
      }),
  },
};

/** Commands that need neither configuration nor database. They return what is printed. */
const fileCommands: Record<string, Form & { run(words: readonly string[], values: Values): Promise<string> }> = {
  'bank import': {
    words: 1,
    options: ['dry-run', 'bank'],
    run: async ([file = '']) => (await bankFiles()).readBankFileDry(file),
  },
};

/**
 * Runs a command that works on files alone; null if it is another command.
 * @throws UsageError for what cannot be read; RefusedError for what cannot be done
 */
export async function runFileCommand(args: readonly string[]): Promise<string | null> {
  const { values, positionals } = parse(args);
  const [group, verb, ...words] = positionals;
  const command = fileCommands[`${group} ${verb}`];
  // Without it the file is taken in, which needs the database.
  if (!command || values.help || values['dry-run'] !== true) return null;
  checkForm(command, words, values, `${group} ${verb}`);
  return command.run(words, values);
}

/**
 * Runs one command and returns its output. `chains` is asked by those that need them.
 * @throws UsageError for what cannot be read; DomainError for what is refused
 */
export async function runCommand(
  context: CommandContext,
  args: readonly string[],
  chains: () => Promise<Pick<OperatorContext, 'families' | 'gateways'>>,
): Promise<string> {
  const { values, positionals } = parse(args);
  if (values.help || positionals.length === 0) return usage;
  const [group, verb, ...words] = positionals;
  const name = `${group} ${verb}`;
  const plain = plainCommands[name];
  const command = plain ?? commands[name];
  if (!command) throw new UsageError(`There is no command "${[group, verb].filter(Boolean).join(' ')}".`);
  checkForm(command, words, values, name);
  const answer = await (plain
    ? plain.run(context, words, values)
    : command.run({ ...context, ...(await chains()) }, words, values));
  return values.json ? `${JSON.stringify(answer, null, 2)}\n` : asTable(answer);
}

function checkForm(form: Form, words: readonly string[], values: Values, name: string): void {
  const counts = [form.words].flat();
  if (!counts.includes(words.length)) throw new UsageError(`"${name}" takes ${counts.join(' or ')} words.`);
  for (const option of Object.keys(values) as (keyof typeof options)[]) {
    if (option !== 'json' && !form.options.includes(option)) throw new UsageError(`--${option} does not belong here.`);
  }
}

/** What a refusal is called on the operator's screen. */
export function refusalText(error: DomainError): string {
  return translate('en-us', `error.${error.key}`, error.details);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** @throws UsageError where the configuration names none */
function consoleUrl({ consoleUrl: url }: CommandContext): string {
  if (url === undefined)
    throw new UsageError('OPERATOR_URL is missing in the configuration: the address of the console.');
  return url;
}

function uuid(value: string | undefined): string {
  if (!z.safeParse(z.uuid(), value).success || value === undefined) throw new UsageError('An id is a UUID.');
  return value.toLowerCase();
}

function whole(value: string | undefined, otherwise: number, most: number): number {
  if (value === undefined) return otherwise;
  const number = /^\d{1,7}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > most) throw new UsageError(`A number from 1 to ${most} is wanted, not "${value}".`);
  return number;
}

/** The operator's own words in three languages are for the console. */
function causeOf(value = 'compliance') {
  const causes = freezeReasons.filter((reason) => reason !== 'other');
  const cause = causes.find((known) => known === value);
  if (cause === undefined) throw new UsageError(`--cause is one of ${causes.join(', ')}.`);
  return cause;
}

function line(value: string): string {
  if (value.trim() === '' || !z.safeParse(text(200), value).success) {
    throw new UsageError('A text of up to 200 characters is wanted (--reason).');
  }
  return value;
}

function titled(parts: readonly string[] | undefined, name: string): { title: string; body: string } {
  const [title, body, ...more] = parts ?? [];
  const fits = more.length === 0 && [title, body].every((part) => part !== undefined && part.trim() !== '');
  if (!fits || !z.safeParse(text(120), title).success || !z.safeParse(text(2000), body).success) {
    throw new UsageError(`--${name} is wanted twice: a title (up to 120 characters), then a text (up to 2000).`);
  }
  return { title: title ?? '', body: body ?? '' };
}
