import { fileTypes, maxFileBytes } from '@causeway/contract/files-rules.ts';
import { parseAmount } from '@causeway/contract/money.ts';
import type { Funding, RechargeNotice } from '@causeway/contract/recharges.ts';
import { maxProofs, paidAheadMs, rechargeRemarkMaxLength } from '@causeway/contract/recharges-rules.ts';
import { useMemo, useState } from 'react';
import { localTime } from '../../../lib/local-time.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { AmountField } from '../../../ui/amount-field.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { FileDrop, type UploadedFile } from '../../../ui/file-drop.tsx';
import { Form } from '../../../ui/form.tsx';
import { type Checked, type FieldProblem, useFields } from '../../../ui/form-state.ts';
import { Banner } from '../../../ui/states.tsx';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { quantityProblem, settled } from '../amounts.ts';
import { uploadProof, useAnnounce } from '../recharge-api.ts';

const rules = { types: fileTypes, largest_bytes: maxFileBytes, most: maxProofs };

interface Proof {
  /** The notice's, so that the same one sent twice is one. */
  id: string;
  amount: string;
  /** As the browser's field has it, in the reader's own time zone. */
  paidAt: string;
  remark: string;
  proofIds: readonly UploadedFile[];
}

interface Props {
  funding: Funding;
  onAnnounced: (notice: RechargeNotice) => void;
  onBack: () => void;
}

/** The third step: the proof of a payment. What was typed survives a reload. */
export function ProofForm({ funding, onAnnounced, onBack }: Props) {
  const t = useText();
  const { walletId, asset, decimals, minimum } = funding;
  const announce = useAnnounce();
  const [uploading, setUploading] = useState(false);
  const check = useMemo(() => checkFor({ minimum, decimals }), [minimum, decimals]);
  const defaults = useMemo<Proof>(() => ({ id: newId(), amount: '', paidAt: '', remark: '', proofIds: [] }), []);
  const fields = useFields<Proof, Proof>({ check, defaults, keep: `recharge-proof-${walletId}` });
  const least = { minimum: amountLine(minimum), coin: asset };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Form
      fields={fields}
      label={t('recharge.fiat.step.proof')}
      onSubmit={async ({ id, amount, paidAt, remark, proofIds }) => {
        const notice = await announce.mutateAsync({
          body: {
            id,
            walletId,
            amount: settled(amount),
            paidAt: new Date(paidAt).toISOString(),
            remark,
            proofIds: proofIds.map((file) => file.id),
          },
        });
        fields.forget();
        onAnnounced(notice);
      }}
    >
      <Banner kind="notice">{t('recharge.fiat.proofNote')}</Banner>
      <div className="grid gap-5 sm:grid-cols-2">
        <AmountField
          label={t('recharge.fiat.amount')}
          hint={t('recharge.fiat.amountHint', least)}
          coin={asset}
          decimals={decimals}
          {...fields.value('amount')}
        />
        <TextField
          type="datetime-local"
          label={t('recharge.fiat.paidAt')}
          hint={t('recharge.fiat.paidAtHint', { zone })}
          max={localTime(new Date(Date.now() + paidAheadMs))}
          {...fields.text('paidAt')}
        />
      </div>
      <FileDrop
        label={t('recharge.fiat.files')}
        rules={rules}
        onUpload={uploadProof}
        onUploading={setUploading}
        {...fields.value('proofIds')}
      />
      <TextArea
        label={t('recharge.fiat.remark')}
        optional
        maxLength={rechargeRemarkMaxLength}
        {...fields.text('remark')}
      />
      <div className="flex flex-wrap justify-between gap-3">
        <Button onClick={onBack}>{t('recharge.fiat.back')}</Button>
        <Button type="submit" kind="primary" busy={fields.submitting} disabled={uploading}>
          {t('recharge.fiat.announce')}
        </Button>
      </div>
    </Form>
  );
}

/** What is said of each field before anything is sent; the server has the last word. */
function checkFor({ minimum, decimals }: { minimum: string; decimals: number }): (proof: Proof) => Checked<Proof> {
  return (proof) => {
    const problems: FieldProblem[] = [];
    const wrong = (name: keyof Proof, message: string) => problems.push({ path: [name], message });
    const amount = settled(proof.amount);
    if (amount === '') wrong('amount', 'field.required');
    else if (!parseAmount(amount, decimals).ok) wrong('amount', 'field.amount');
    else if (quantityProblem(amount, minimum, decimals) === 'belowMinimum')
      wrong('amount', 'recharge.fiat.belowMinimum');
    const paid = Date.parse(proof.paidAt);
    if (Number.isNaN(paid)) wrong('paidAt', 'field.required');
    else if (paid > Date.now() + paidAheadMs) wrong('paidAt', 'recharge.fiat.paidLater');
    if (proof.proofIds.length === 0) wrong('proofIds', 'recharge.fiat.fileRequired');
    return problems.length === 0 ? { ok: true, values: proof } : { ok: false, problems };
  };
}
