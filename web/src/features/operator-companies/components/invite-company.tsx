import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { copyText } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { Banner } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { Time } from '../../../ui/time.tsx';
import { DialogFoot } from '../../operator/index.ts';
import { useInvite } from '../api.ts';
import { checkInvitation, type InvitationValues, invitationNoteMaxLength } from '../rules.ts';

interface Made {
  code: string;
  expiresAt: string;
}

const usualDays = '14';

/** Makes a code for one company. It is shown here once: the server keeps its hash alone. */
export function InviteCompany({ onClose }: { onClose: () => void }) {
  const t = useText();
  const [made, setMade] = useState<Made | null>(null);
  const invite = useInvite();
  const fields = useFields<InvitationValues, InvitationValues>({
    check: checkInvitation,
    defaults: { note: '', days: usualDays },
  });
  const submit = async ({ note, days }: InvitationValues) => {
    setMade(await invite.mutateAsync({ body: { note, days: Number(days) } }));
  };
  const title = t('ops.companies.invite');
  return (
    <Dialog open onOpenChange={(open) => open || fields.submitting || onClose()} title={title}>
      {made === null ? (
        <Form fields={fields} onSubmit={submit} label={title}>
          <p className="m-0 text-13 text-muted">{t('ops.companies.inviteText')}</p>
          <TextField
            {...fields.text('note')}
            label={t('ops.companies.field.for')}
            hint={t('ops.companies.forHint')}
            autoComplete="off"
            maxLength={invitationNoteMaxLength}
          />
          <TextField
            {...fields.text('days')}
            label={t('ops.companies.field.days')}
            inputMode="numeric"
            autoComplete="off"
            maxLength={3}
          />
          <DialogFoot fields={fields} submitText={t('ops.companies.makeCode')} onClose={onClose} />
        </Form>
      ) : (
        <Code made={made} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Code({ made: { code, expiresAt }, onClose }: { made: Made; onClose: () => void }) {
  const t = useText();
  return (
    <div className="flex flex-col gap-4">
      <Banner kind="pending">{t('ops.companies.codeOnce')}</Banner>
      <div className="flex flex-col gap-1">
        <span className="text-13 text-faint">{t('ops.companies.field.code')}</span>
        <code className="rounded-6 bg-sunken px-3 py-2.5 font-mono text-16 break-all select-all">{code}</code>
      </div>
      <p className="m-0 text-13 text-muted">
        {t('ops.companies.codeUntil')} <Time at={expiresAt} />
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button icon="copy" onClick={() => void copyText(code)}>
          {t('ops.companies.copyCode')}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {t('ops.companies.codeDone')}
        </Button>
      </div>
    </div>
  );
}
