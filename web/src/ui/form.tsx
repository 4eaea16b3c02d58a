import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../lib/api-error.ts';
import { useText } from '../lib/locale.tsx';
import { reportError } from '../lib/report-error.ts';
import { toast } from '../lib/toasts.ts';
import type { Fields } from './form-state.ts';

interface FormProps<Values extends object, Output> {
  fields: Fields<Values, Output>;
  /** May reject: an `ApiError` with fields is shown in the form. Mutations have already shown their toast. */
  onSubmit: (values: Output) => Promise<unknown> | unknown;
  children: ReactNode;
  /** Said when the form was submitted with wrong fields; "Form validation failed" unless given. */
  wrongText?: string;
  label?: string;
}

/** The element: Enter submits, the browser's own bubbles stay off, the first wrong field gets the focus. */
export function Form<Values extends object, Output>(props: FormProps<Values, Output>) {
  const { fields, onSubmit, children, wrongText, label } = props;
  const t = useText();
  const element = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  // In an effect: React draws the errors and the count together, and an animation frame may come before that drawing.
  useEffect(() => {
    if (refusals > 0) focusFirstWrong(element.current);
  }, [refusals]);

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (fields.submitting) return;
    const checked = fields.checkAll();
    if (!checked.ok) {
      toast('error', wrongText ?? t('ui.form.failed'));
      setRefusals((count) => count + 1);
      return;
    }
    fields.setSubmitting(true);
    try {
      await onSubmit(checked.values);
      fields.forget();
    } catch (error) {
      if (error instanceof ApiError) fields.showServerErrors(error.fields);
      else reportError(error);
      setRefusals((count) => count + 1);
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
    </form>
  );
}

/** The first control marked wrong, in reading order. */
function focusFirstWrong(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]')?.focus();
}
