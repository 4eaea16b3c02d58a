import { call } from './api.ts';
import type { BankAccount, BankState } from './bank.ts';
import { byId, field, h } from './dom.ts';
import { form, value } from './faucet.ts';
import { text } from './texts.ts';

const REASONS = ['AC01', 'AC04', 'AC06', 'AM04', 'BE04', 'RC01', 'RR04', 'MS03'];
const GARBLES = ['no', 'spaced', 'broken'];
const BOOKED_AS = ['single', 'with', 'notification', 'without'];
const RESULT = 'bank-result';

/** Draws the bank's forms in the present language. */
export async function drawBankForms(refresh: () => void): Promise<void> {
  const { accounts } = await call<BankState>('bank');
  drawPayIn(accounts, refresh);
  form(
    'bank-fee',
    [accountField(accounts), amountField('5'), textField('text', 'bank.text', text('bank.feeText'))],
    'bank.bookFee',
    RESULT,
    async (data) => {
      const answer = await call<{ booking: string }>('bank/fee', {
        ...accountOf(accounts, data),
        amount: value(data, 'amount'),
        text: value(data, 'text'),
      });
      refresh();
      return text('bank.booked', { booking: answer.booking });
    },
  );
  form(
    'bank-payee',
    [
      textField('account', 'bank.payeeAccount', '', true),
      textField('name', 'bank.payeeName', '', true),
      select('state', 'bank.payeeState', ['open', 'closed'], 'bank.payee'),
    ],
    'bank.enterPayee',
    RESULT,
    async (data) => {
      await call('bank/payees', {
        account: value(data, 'account'),
        name: value(data, 'name'),
        state: value(data, 'state'),
      });
      return text('bank.payeeEntered', { name: value(data, 'name') });
    },
  );
  form('bank-webhook', [textField('url', 'bank.webhookUrl', '')], 'bank.setWebhook', RESULT, async (data) => {
    await call('bank/webhook', { url: value(data, 'url') });
    refresh();
    return '';
  });
  const reasons = h('select', { id: 'bank-reason' });
  for (const code of REASONS)
    reasons.append(h('option', { value: code, selected: code === 'AC04' }, `${code} · ${text(`bank.reason.${code}`)}`));
  byId('bank-reasons').replaceChildren(field(text('bank.reason'), reasons));
}

function drawPayIn(accounts: readonly BankAccount[], refresh: () => void): void {
  const fields = [
    accountField(accounts),
    textField('to', 'bank.to', ''),
    amountField('1000.00'),
    textField('payer', 'bank.payer', 'Sample Trading Ltd', true),
    textField('reference', 'bank.reference', ''),
    textField('text', 'bank.text', ''),
    select('garble', 'bank.garble', GARBLES, 'bank.garble'),
    h(
      'label',
      {},
      text('bank.copies'),
      h('input', { name: 'copies', type: 'number', min: '1', max: '100', value: '1', required: true }),
    ),
    select('bookedAs', 'bank.bookedAs', BOOKED_AS, 'bank.bookedAs'),
  ];
  form('bank-pay-in', fields, 'bank.payIn', RESULT, async (data) => {
    const account = accountOf(accounts, data);
    const optional = (name: string) => (value(data, name) === '' ? {} : { [name]: value(data, name) });
    const wish = {
      ...account,
      to: value(data, 'to') || account.number,
      amount: value(data, 'amount'),
      payer: { name: value(data, 'payer') },
      ...optional('reference'),
      ...optional('text'),
      garble: value(data, 'garble'),
    };
    const payIns = Array.from({ length: Number(value(data, 'copies')) }, () => wish);
    const details = value(data, 'bookedAs');
    const made: string[] = [];
    if (details === 'single') for (const payIn of payIns) made.push(nameOf(await call('bank/pay-in', payIn)));
    else made.push(nameOf(await call('bank/batch', { payIns, details })));
    refresh();
    return text('bank.booked', { booking: made.join(', ') });
  });
}

const nameOf = (answer: { booking?: string; deposit?: string }): string => answer.booking ?? answer.deposit ?? '';

function accountOf(
  accounts: readonly BankAccount[],
  data: FormData,
): { bank: string; currency: string; number: string } {
  const { bank = '', currency = '', number = '' } = accounts.find((one) => one.number === value(data, 'account')) ?? {};
  return { bank, currency, number };
}

function accountField(accounts: readonly BankAccount[]): HTMLElement {
  const made = h('select', { name: 'account' });
  for (const { bank, currency, number } of accounts)
    made.append(h('option', { value: number }, `${text(`bank.${bank}`)} ${currency}`));
  return field(text('bank.account'), made);
}

function amountField(initial: string): HTMLElement {
  return field(
    text('bank.amount'),
    h('input', { name: 'amount', inputmode: 'decimal', pattern: '\\d+(\\.\\d+)?', value: initial, required: true }),
  );
}

function textField(name: string, label: string, initial: string, required = false): HTMLElement {
  return field(text(label), h('input', { name, value: initial, required, autocomplete: 'off' }));
}

function select(name: string, label: string, values: readonly string[], prefix: string): HTMLElement {
  const made = h('select', { name });
  for (const each of values) made.append(h('option', { value: each }, text(`${prefix}.${each}`)));
  return field(text(label), made);
}
