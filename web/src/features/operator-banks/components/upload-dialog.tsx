import { maxFileBytes } from '@causeway/contract/files-rules.ts';
import type { UnderstoodFile } from '@causeway/contract/operator-bank-uploads.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FileDrop, type UploadedFile } from '../../../ui/file-drop.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { ReasonField, useProposed } from '../../operator/index.ts';
import { sendFile, useBanks, useProposeFile } from '../api.ts';
import { checkUpload, type UploadValues } from '../rules.ts';
import { isNothing } from '../words.ts';

const rules = { types: ['text/xml', 'application/xml'], largest_bytes: maxFileBytes, most: 1 };

interface Sent extends UploadedFile {
  sha256: string;
  understood: UnderstoodFile;
}

/** Takes a bank's file in by hand: it is read at once, what was understood is shown, and another operator confirms it. */
export function UploadDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const banks = useBanks().data?.banks ?? [];
  const propose = useProposeFile();
  const proposed = useProposed();
  const [sent, setSent] = useState<Sent | null>(null);
  const [only] = banks.length === 1 ? banks : [];
  const fields = useFields<UploadValues, UploadValues>({
    check: ({ bank, reason }) => checkUpload({ bank: bank || (only?.id ?? ''), reason }),
    defaults: { bank: '', reason: '' },
  });
  const bank = fields.values.bank || only?.id || '';
  const submit = async ({ reason }: UploadValues) => {
    if (sent === null) return;
    const { proposalId } = await propose.mutateAsync({ params: { id: sent.id }, body: { reason } });
    proposed(proposalId);
    onClose();
    void navigate({ to: `/app/confirmations/${proposalId}` });
  };
  const title = t('ops.bankUpload.title');
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={title}
      description={t('ops.bankUpload.text')}
    >
      <Form fields={fields} onSubmit={submit} label={title}>
        <SelectField
          {...fields.value('bank')}
          value={bank}
          label={t('ops.bankUpload.bank')}
          options={banks.map(({ id, name }) => ({ value: id, label: name }))}
          disabled={sent !== null}
        />
        {bank !== '' && (
          <FileDrop
            label={t('ops.bankUpload.file')}
            value={sent === null ? [] : [sent]}
            onChange={([file]) => file === undefined && setSent(null)}
            rules={rules}
            onUpload={async (file, options) => {
              const stored = await sendFile(bank, file, options);
              setSent(stored);
              return stored;
            }}
          />
        )}
        {sent !== null && <Understood sent={sent} />}
        <Banner kind="notice">{t('ops.bankUpload.second')}</Banner>
        <ReasonField binding={fields.text('reason')} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={fields.submitting} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" kind="primary" busy={fields.submitting} disabled={sent === null}>
            {t('ops.propose')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** What was understood of the file; nothing of it is booked yet. */
function Understood({ sent: { sha256, understood } }: { sent: Sent }) {
  const t = useText();
  const { messages, statements, statuses } = understood;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="m-0 text-13 font-medium">{t('ops.bankUpload.understood')}</h3>
      <DescriptionList
        framed
        facts={[
          { term: t('ops.bankUpload.message'), value: messages.map(({ name, id }) => `${name} · ${id}`).join(', ') },
          ...statements.map(({ kind, account, reference, entries, sums }) => ({
            term: t(`ops.bankUpload.${kind}`, { account }),
            value: (
              <span className="flex flex-col wrap-anywhere">
                <span>
                  {reference} · {t('ops.bankUpload.entries', { count: entries })}
                </span>
                {sums.map(({ currency, opening, credits, debits, closing, difference }) => (
                  <span key={currency} className="figures">
                    {opening !== null && closing !== null && (
                      <>
                        {amountLine(opening, currency)} → {amountLine(closing, currency)}{' '}
                      </>
                    )}
                    +{amountLine(credits, currency)} −{amountLine(debits, currency)}
                    {difference !== null && !isNothing(difference) && (
                      <span className="text-negative">
                        {' '}
                        {t('ops.bankUpload.differs', { difference: amountLine(difference, currency) })}
                      </span>
                    )}
                  </span>
                ))}
              </span>
            ),
          })),
          ...(statuses === 0 ? [] : [{ term: t('ops.bankUpload.statuses'), value: String(statuses) }]),
          { term: 'SHA-256', value: <span className="wrap-anywhere">{sha256}</span> },
        ]}
      />
    </section>
  );
}
