import type { CodeMethod } from '@causeway/contract/identity.ts';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { codeFields, placed } from '../../../lib/placed.ts';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { useUser } from '../../../lib/user.ts';
import { Button } from '../../../ui/button.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { Form } from '../../../ui/form.tsx';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { CodeProof } from '../../approvals/index.ts';
import { useReveal, useSendCode } from '../api.ts';
import { cardsPath } from '../paths.ts';

interface Values {
  codeMethod: CodeMethod;
  code: string;
}

interface Frame {
  url: string;
  expiresAt: string;
}

function check(values: Values): Checked<Values> {
  return /^\d{6}$/.test(values.code)
    ? { ok: true, values }
    : { ok: false, problems: [{ path: ['code'], message: 'field.code' }] };
}

/**
 * The number of a card, in a frame of its issuer's: this console never has it. Only this page's content security policy lets the frame in, so the page is
 * opened as a document of its own.
 */
export function NumberPage({ id }: { id: string }) {
  const t = useText();
  const user = useUser();
  const reveal = useReveal();
  const sendCode = useSendCode();
  const [frame, setFrame] = useState<Frame | null>(null);
  const fields = useFields<Values, Values>({
    check,
    defaults: { codeMethod: user?.hasOtp ? 'otp_auth' : 'email', code: '' },
  });
  const { codeMethod, code } = fields.values;

  async function submit(values: Values): Promise<void> {
    try {
      setFrame(await reveal.mutateAsync({ body: { cardId: id, ...values } }));
      fields.reset();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      reportError(error);
      throw placed(error, codeFields);
    }
  }

  return (
    <CardPage narrow>
      <div className="flex flex-col gap-5">
        {frame === null ? (
          <Form fields={fields} onSubmit={submit} label={t('cards.number')}>
            <p className="m-0 text-muted">{t('cards.number.text')}</p>
            <CodeProof
              method={codeMethod}
              onMethod={(method) => {
                fields.set('codeMethod', method);
                fields.set('code', '');
              }}
              code={code}
              onCode={(next) => fields.set('code', next)}
              error={fields.error('code')}
              onSend={async () => {
                const subject = { kind: 'card' as const, content: { cardId: id } };
                const sent = await sendCode.mutateAsync({ body: { scenario: 'transaction', subject } });
                toast('success', t('cards.number.codeSent', { email: user?.email ?? '' }));
                return sent;
              }}
            />
            <div className="flex flex-wrap justify-end gap-3 border-t border-line pt-5">
              <Button type="submit" kind="primary" busy={fields.submitting}>
                {t('cards.number.show')}
              </Button>
            </div>
          </Form>
        ) : (
          <Shown frame={frame} onEnd={() => setFrame(null)} />
        )}
        <PlainLink href={`${cardsPath}/${id}`} className="text-accent">
          {t('cards.number.back')}
        </PlainLink>
      </div>
    </CardPage>
  );
}

/** The issuer's frame, for as long as its address holds. */
function Shown({ frame, onEnd }: { frame: Frame; onEnd: () => void }) {
  const t = useText();
  useEffect(() => {
    const left_ms = Date.parse(frame.expiresAt) - Date.now();
    const timer = setTimeout(onEnd, Math.max(left_ms, 0));
    return () => clearTimeout(timer);
  }, [frame, onEnd]);
  return (
    <>
      <iframe
        src={frame.url}
        title={t('cards.number.frame')}
        referrerPolicy="no-referrer"
        allow="clipboard-write"
        sandbox="allow-scripts allow-same-origin"
        className="h-36 w-full max-w-100 rounded-10 border border-line bg-white"
      />
      <p className="m-0 text-13 text-muted">{t('cards.number.hides')}</p>
      <div>
        <Button onClick={onEnd}>{t('cards.number.hide')}</Button>
      </div>
    </>
  );
}
