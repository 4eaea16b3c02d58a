import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../lib/api-error.ts';
import { useText } from '../lib/locale.tsx';
import { messageOf, reportFailure } from '../lib/report-error.ts';
import { dismissFailures, toast } from '../lib/toasts.ts';
import { FailureNote, wrongField } from './failure-note.tsx';
import type { Fields } from './form-state.ts';

interface FormProps<Values extends object, Output> {
  fields: Fields<Values, Output>;
  /** May reject: an `ApiError` with fields is shown in the form. Mutations have already shown their toast. */
  onSubmit: (values: Output) => Promise<unknown> | unknown;
  children: ReactNode;
  /** Said when the form was submitted with wrong fields; "Form validation failed" unless given. */
  wrongText?: string;
  label?: string;
  /** A submit that succeeds leads to another step of the same form: the draft stays. */
  goesOn?: boolean;
}

/**
 * The element: Enter submits, the browser's own bubbles stay off, the first wrong field gets the focus. A refusal that concerns
 * no field is said at its end, beside the button, for as long as it holds.
 */
export function Form<Values extends object, Output>(props: FormProps<Values, Output>) {
  const { fields, onSubmit, children, wrongText, label, goesOn = false } = props;
  const t = useText();
  const element = useRef<HTMLFormElement>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  // In an effect: React draws the errors and the refusal together, and an animation frame may come before that drawing.
  useEffect(() => {
    if (refusal === null) return;
    const wrong = firstWrong(element.current);
    wrong?.focus();
    // A dialog says it itself, at its foot.
    if (!wrong && !element.current?.closest('[role="dialog"]:not([data-panel])')) setFailure(refusal.text);
  }, [refusal]);

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (fields.submitting) return;
    dismissFailures();
    setFailure(null);
    const checked = fields.checkAll();
    if (!checked.ok) {
      toast('error', wrongText ?? t('ui.form.failed'));
      setRefusal({ text: null });
      return;
    }
    fields.setSubmitting(true);
    try {
      await onSubmit(checked.values);
      if (!goesOn) fields.forget();
    } catch (error) {
      if (error instanceof ApiError) fields.showServerErrors(error.fields);
      else reportFailure(error);
      setRefusal({ text: sentenceOf(error) });
    } finally {
      fields.setSubmitting(false);
    }
  }

  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => void submit(event)}
      aria-label={label}
      className="flex flex-col gap-5"
    >
      {children}
      {failure !== null && <FailureNote text={failure} />}
    </form>
  );
}

/** A submit that led to nothing, and what is to be said of it where no field says it. */
interface Refusal {
  text: string | null;
}

/** The first control marked wrong, in reading order. */
function firstWrong(form: HTMLFormElement | null): HTMLElement | null {
  return form?.querySelector<HTMLElement>(wrongField) ?? null;
}

/** What an error says of the whole form; null for one that the page made itself, and has said. */
function sentenceOf(error: unknown): string | null {
  return error instanceof ApiError && error.status === 0 && error.key !== 'network' ? null : messageOf(error);
}
