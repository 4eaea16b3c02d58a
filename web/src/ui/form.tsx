import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
  useForm,
  useWatch,
} from 'react-hook-form';
import * as z from 'zod/mini';
import { ApiError } from '../lib/api-error.ts';
import { useText } from '../lib/locale.tsx';
import { reportError } from '../lib/report-error.ts';
import { toast } from '../lib/toasts.ts';

type Schema<Output> = z.core.$ZodType<Output>;

export interface FieldsOptions<Values extends FieldValues, Output> {
  /** The contract's rules; the messages are text ids (`field.…`). */
  schema: Schema<Output>;
  defaults: Values;
  /** Name under which what was typed survives a reload, for long forms. */
  keep?: string;
  /** Fields that are never kept: codes, passwords, files. */
  keepExcept?: readonly FieldPath<Values>[];
}

/** A form's state and the ways fields are tied to it. */
export interface Fields<Values extends FieldValues, Output> {
  form: UseFormReturn<Values, unknown, Output>;
  /** For fields that are plain inputs (TextField, TextArea, PasswordField, Checkbox). */
  text: (name: FieldPath<Values>) => ReturnType<UseFormReturn<Values, unknown, Output>['register']> & {
    error: string | undefined;
  };
  /** The field's error, as a sentence. */
  error: (name: FieldPath<Values>) => string | undefined;
  /** For fields that hand over a value (AmountField, CodeField, SelectField …). */
  value: <Name extends FieldPath<Values>>(name: Name) => ValueField<FieldPathValue<Values, Name>>;
  submitting: boolean;
  /** Forgets what was kept; done by itself after a submit that succeeded. */
  forget: () => void;
}

interface ValueField<Value> {
  name: string;
  value: Value;
  onChange: (value: Value) => void;
  onBlur: () => void;
  error: string | undefined;
}

/**
 * A form over the contract's rules: checks on blur and on submit, and after that as one types; puts the server's field
 * errors where they belong; keeps what was typed when asked to.
 */
export function useFields<Values extends FieldValues, Output>(
  options: FieldsOptions<Values, Output>,
): Fields<Values, Output> {
  const { schema, defaults, keep, keepExcept = [] } = options;
  const t = useText();
  const initial = useRef<Values | null>(null);
  initial.current ??= { ...defaults, ...kept<Values>(keep) };
  const resolver = useMemo(() => resolverFor<Values, Output>(schema), [schema]);
  const form = useForm<Values, unknown, Output>({
    resolver,
    defaultValues: initial.current as DefaultValues<Values>,
    mode: 'onBlur',
    reValidateMode: 'onChange',
  });
  const values = useWatch({ control: form.control });
  useKeep(keep, values, keepExcept);

  const error = (name: FieldPath<Values>) => {
    const found = form.getFieldState(name, form.formState).error;
    if (found?.message === undefined) return undefined;
    return found.type === 'server' ? found.message : t(found.message);
  };
  return {
    form,
    error,
    text: (name) => ({ ...form.register(name), error: error(name) }),
    value: (name) => ({
      name,
      value: form.getValues(name),
      onChange: (value) =>
        form.setValue(name, value, {
          shouldDirty: true,
          shouldTouch: true,
          shouldValidate: form.formState.isSubmitted,
        }),
      onBlur: () => void form.trigger(name),
      error: error(name),
    }),
    submitting: form.formState.isSubmitting,
    forget: () => forget(keep),
  };
}

interface FormProps<Values extends FieldValues, Output> {
  fields: Fields<Values, Output>;
  /** May throw: an `ApiError` with fields is shown in the form. Mutations have already shown their toast. */
  onSubmit: (values: Output) => Promise<unknown> | unknown;
  children: ReactNode;
  /** Said when the form was submitted with wrong fields; the specification's "Form validation failed" unless given. */
  wrongText?: string;
  label?: string;
}

/** The element: Enter submits, the browser's own bubbles stay off, the first wrong field gets the focus. */
export function Form<Values extends FieldValues, Output>(props: FormProps<Values, Output>) {
  const { fields, onSubmit, children, wrongText, label } = props;
  const t = useText();
  const element = useRef<HTMLFormElement>(null);
  const submit = fields.form.handleSubmit(
    async (values) => {
      try {
        await onSubmit(values);
        fields.forget();
      } catch (error) {
        if (!(error instanceof ApiError)) reportError(error);
        else showServerErrors(fields.form, error);
        focusFirstWrong(element.current);
      }
    },
    () => {
      toast('error', wrongText ?? t('ui.form.failed'));
      focusFirstWrong(element.current);
    },
  );
  return (
    <form ref={element} noValidate onSubmit={submit} aria-label={label} className="flex flex-col gap-5">
      {children}
    </form>
  );
}

function showServerErrors<Values extends FieldValues, Output>(form: Fields<Values, Output>['form'], error: ApiError) {
  for (const [name, message] of Object.entries(error.fields)) {
    form.setError(name as FieldPath<Values>, { type: 'server', message });
  }
}

/** After React has drawn the errors: the first control marked wrong, in reading order. */
function focusFirstWrong(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => {
    const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
    wrong?.focus();
  });
}

function resolverFor<Values extends FieldValues, Output>(schema: Schema<Output>): Resolver<Values, unknown, Output> {
  return (values) => {
    const result = z.safeParse(schema, values);
    if (result.success) return { values: result.data, errors: {} };
    const errors: Record<string, unknown> = {};
    for (const issue of result.error.issues) plant(errors, issue.path, { type: 'rule', message: issue.message });
    return { values: {}, errors: errors as FieldErrors<Values> };
  };
}

/** Puts an error at its path, unless an earlier rule of the same field already spoke. */
function plant(
  errors: Record<string, unknown>,
  path: readonly PropertyKey[],
  error: { type: string; message: string },
) {
  let place = errors;
  for (const [index, key] of path.entries()) {
    const name = String(key);
    if (index === path.length - 1) place[name] ??= error;
    else {
      place[name] ??= {};
      place = place[name] as Record<string, unknown>;
    }
  }
}

function useKeep(name: string | undefined, values: unknown, except: readonly string[]): void {
  useEffect(() => {
    if (name === undefined) return;
    const entries = Object.entries(values as Record<string, unknown>).filter(([key]) => !except.includes(key));
    try {
      sessionStorage.setItem(`form:${name}`, JSON.stringify(Object.fromEntries(entries)));
    } catch {
      // A full or forbidden storage costs the safety net, not the form.
    }
  }, [name, values, except]);
}

function kept<Values>(name: string | undefined): Partial<Values> {
  if (name === undefined) return {};
  try {
    return JSON.parse(sessionStorage.getItem(`form:${name}`) ?? '{}');
  } catch {
    return {};
  }
}

function forget(name: string | undefined): void {
  if (name !== undefined) sessionStorage.removeItem(`form:${name}`);
}
