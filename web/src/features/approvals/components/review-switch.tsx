import type { CodeMethod } from '@causeway/contract/identity.ts';
import { type FormEvent, useId, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { useUser } from '../../../lib/user.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useFieldTexts } from '../../../ui/form-state.ts';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { useTellChange } from '../../control/index.ts';
import { useFindingsOnceOn, useSendCode, useSwitchReview } from '../api.ts';
import type { ReviewSetting } from '../review-setting.ts';
import { CodeProof } from './code-proof.tsx';
import { Findings } from './findings.tsx';

/** Whether transfers must be approved; switched behind a confirmation and a code (decisions, "Screens"). */
export function ReviewSwitch({ setting }: { setting: ReviewSetting }) {
  const t = useText();
  const mayManage = usePermission('rule.manage');
  const [asking, setAsking] = useState(false);
  const { enabled } = setting;
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="min-w-0">
          <h2 className="m-0 mb-1 text-16 font-semibold">{t('approvals.review')}</h2>
          <StatusDot
            tone={enabled ? 'positive' : 'neutral'}
            detail={t(enabled ? 'approvals.review.onText' : 'approvals.review.offText')}
          >
            {t(enabled ? 'approvals.review.on' : 'approvals.review.off')}
          </StatusDot>
        </div>
        {mayManage && (
          <Button kind={enabled ? 'secondary' : 'primary'} onClick={() => setAsking(true)}>
            {t(enabled ? 'approvals.review.switchOff' : 'approvals.review.switchOn')}
          </Button>
        )}
      </div>
      {asking && <SwitchDialog enable={!enabled} onClose={() => setAsking(false)} />}
    </Card>
  );
}

function SwitchDialog({ enable, onClose }: { enable: boolean; onClose: () => void }) {
  const t = useText();
  useFieldTexts();
  const user = useUser();
  const form = useId();
  const change = useSwitchReview();
  const tell = useTellChange();
  const sendCode = useSendCode();
  const [method, setMethod] = useState<CodeMethod>(user?.hasOtp ? 'otp_auth' : 'email');
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | undefined>();

  async function send(): Promise<{ resendAfterMs: number }> {
    const subject = { kind: 'review' as const, content: { enabled: enable } };
    const sent = await sendCode.mutateAsync({ body: { scenario: 'transaction', subject } });
    toast('success', t('approvals.codeSent', { email: user?.email ?? '' }));
    return sent;
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!/^\d{6}$/.test(code)) {
      setError(t('field.code'));
      toast('error', t('ui.form.failed'));
      event.currentTarget.querySelector<HTMLElement>('[name="code"]')?.focus();
      return;
    }
    try {
      tell(await change.mutateAsync({ body: { enabled: enable, codeMethod: method, code } }), t('approvals.set'));
      onClose();
    } catch (failure) {
      if (failure instanceof ApiError) setError(failure.fields['code']);
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !change.isPending && onClose()}
      title={t(enable ? 'approvals.review.switchOn.title' : 'approvals.review.switchOff.title')}
      description={t(enable ? 'approvals.review.switchOn.text' : 'approvals.review.switchOff.text')}
      actions={
        <>
          <Button disabled={change.isPending} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button kind={enable ? 'primary' : 'negative'} type="submit" form={form} busy={change.isPending}>
            {t(enable ? 'approvals.review.switchOn' : 'approvals.review.switchOff')}
          </Button>
        </>
      }
    >
      {enable && <FindingsOnceOn />}
      <form id={form} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <CodeProof
          method={method}
          onMethod={(next) => {
            setMethod(next);
            setCode('');
          }}
          code={code}
          onCode={setCode}
          error={error}
          onSend={send}
        />
      </form>
    </Dialog>
  );
}

/** What would hold once it is on: without a rule for an amount its transfers are refused from then on. */
function FindingsOnceOn() {
  const t = useText();
  const checked = useFindingsOnceOn();
  const { data, error } = checked;
  if (data === undefined && error !== null) {
    return <ErrorState error={error} onRetry={() => void checked.refetch()} />;
  }
  return (
    <div className="mb-4">
      <h3 className="m-0 text-14 font-semibold">{t('approvals.review.switchOn.findings')}</h3>
      <Loading loading={data === undefined} skeleton={<Skeleton height="h-8" />}>
        {data && <Findings label={t('approvals.review.switchOn.findings')} findings={data.findings} />}
      </Loading>
    </div>
  );
}
