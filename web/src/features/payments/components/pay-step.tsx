import { fileTypes, maxAttachments, maxFileBytes } from '@causeway/contract/files-rules.ts';
import { type ChargeBearer, maxVouchers, purposes, remittanceMaxLength } from '@causeway/contract/payments-rules.ts';
import { notesMaxLength } from '@causeway/contract/transfers-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { AmountField } from '../../../ui/amount-field.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { FileDrop } from '../../../ui/file-drop.tsx';
import { RadioField } from '../../../ui/radio-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { amountProblem, mostThatCanBeSent, ReferenceFields, uploadAttachment } from '../../transfers/index.ts';
import { chargesOf, rulesOf } from '../payment-values.ts';
import { CoinQuote } from './coin-quote.tsx';
import { Remittance } from './remittance.tsx';
import type { PaymentForm } from './use-payment-form.ts';
import { WalletField } from './wallet-field.tsx';

const voucherRules = { types: ['application/pdf'] as const, largest_bytes: maxFileBytes, most: maxVouchers };
const attachmentRules = { types: fileTypes, largest_bytes: maxFileBytes, most: maxAttachments };

/** The second step: how much, from where, on which terms, with what papers. */
export function PayStep({ form }: { form: PaymentForm }) {
  const t = useText();
  const { fields, outlook, outlookError } = form;
  const isPayment = form.form === 'payment';
  return (
    <>
      {isPayment && <WalletField form={form} />}
      {outlook === undefined && outlookError?.refused && (
        <Banner kind="negative">{outlookError.messages[0] ?? t('payments.form.feeUnknown')}</Banner>
      )}
      <Amount form={form} />
      {form.coins.chosen !== undefined && <CoinQuote form={form} />}
      <Charges form={form} />
      <Purpose form={form} />
      <Remittance form={form} maxLength={remittanceMaxLength} />
      <ReferenceFields fields={fields} />
      <FileDrop
        label={t(isPayment ? 'payments.form.vouchers' : 'payments.form.attachments')}
        optional
        rules={isPayment ? voucherRules : attachmentRules}
        onUpload={uploadAttachment}
        onUploading={form.setUploading}
        {...fields.value('attachments')}
      />
      <TextArea
        label={t('payments.form.notes')}
        optional
        hint={t('payments.form.notesHint')}
        maxLength={notesMaxLength}
        {...fields.text('notes')}
      />
    </>
  );
}

function Amount({ form: { fields, wallet, outlook, coins } }: { form: PaymentForm }) {
  const t = useText();
  const bound = fields.value('amount');
  const rules = rulesOf(outlook);
  const isOfCoins = coins.chosen !== undefined;
  const inCurrency = (amount: string) => amountLine(amount, wallet?.asset);
  const facts = outlook && { minimum: inCurrency(outlook.minimum), fee: inCurrency(outlook.fee) };
  const problem = rules === null ? null : amountProblem(bound.value, rules);
  return (
    <AmountField
      label={t('payments.form.amount')}
      coin={wallet?.asset ?? ''}
      decimals={wallet?.decimals ?? 2}
      {...bound}
      disabled={wallet === undefined}
      error={
        isOfCoins
          ? (bound.error ?? coins.rate.firm?.problem?.sentence ?? coins.rate.error?.fields['amount'])
          : bound.error !== undefined && problem === 'belowMinimum' && facts
            ? t('payments.form.belowMinimumOf', facts)
            : bound.error
      }
      {...(wallet !== undefined &&
        !isOfCoins && {
          aside: t('payments.form.available', { amount: inCurrency(outlook?.available ?? wallet.available) }),
        })}
      {...(facts && {
        hint: [
          t('payments.form.amountHint', facts),
          outlook.transferLimit === null ? '' : t('payments.form.limit', { limit: inCurrency(outlook.transferLimit) }),
          outlook.dailyLimit === null ? '' : t('payments.form.dailyLimit', { limit: inCurrency(outlook.dailyLimit) }),
        ]
          .join(' ')
          .trim(),
      })}
      {...(rules !== null && !isOfCoins && { onAll: () => fields.set('amount', mostThatCanBeSent(rules)) })}
    />
  );
}

/** Who bears the charges, where the way leaves a choice. */
function Charges({ form: { fields, outlook } }: { form: PaymentForm }) {
  const t = useText();
  const offered = outlook?.charges ?? [];
  const chosen = chargesOf(fields.values, outlook);
  if (offered.length < 2 || chosen === undefined) return null;
  return (
    <RadioField<ChargeBearer>
      label={t('payments.form.charges')}
      options={offered.map((each) => ({
        value: each,
        label: t(`payments.charges.${each}`),
        detail: t(`payments.charges.${each}Text`),
      }))}
      {...fields.value('charges')}
      value={chosen}
      onChange={(next) => fields.set('charges', next)}
    />
  );
}

function Purpose({ form: { fields, outlook } }: { form: PaymentForm }) {
  const t = useText();
  if (outlook === undefined) return null;
  const isNeeded = outlook.isPurposeNeeded;
  const bound = fields.value('purpose');
  const choices = purposes.map((each) => ({ value: each as string, label: t(`payees.bank.purpose.${each}`) }));
  return (
    <SelectField<string>
      label={t('payments.form.purpose')}
      optional={!isNeeded}
      placeholder={t('payments.form.purposePlaceholder')}
      {...(isNeeded && { hint: t('payments.form.purposeHint') })}
      options={isNeeded ? choices : [{ value: 'none', label: t('payments.form.purposeNone') }, ...choices]}
      {...bound}
      onChange={(next) => fields.set('purpose', purposes.find((each) => each === next) ?? '')}
    />
  );
}
