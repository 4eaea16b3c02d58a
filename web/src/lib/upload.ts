import type { Call, Output, Params, Query } from '@causeway/contract/call.ts';
import { ApiError, networkError } from './api-error.ts';
import { address, fetchSchemas, headersOf, readAnswer } from './client.ts';
import type { LightCall } from './light-call.ts';
import { noteOutage } from './service-state.ts';
import { sessionToken } from './session.ts';

export interface UploadOptions<C extends Call = Call> {
  /** What the address names. */
  params?: Params<C>;
  /** Fields sent beside the file. */
  query?: Query<C>;
  /** Gives the upload up; the promise is then rejected with the signal's reason. */
  signal?: AbortSignal;
  /** How much of the body has left, from 0 to 1. */
  onProgress?: (share: number) => void;
}

/**
 * Uploads one file (multipart, field `file`) to a call that takes one, and returns the envelope's data. By XMLHttpRequest,
 * since `fetch` does not tell how much has left. Throws `ApiError`, or the reason of the signal.
 */
export async function upload<C extends Call>(
  call: LightCall<C>,
  file: File,
  options: UploadOptions<C> = {},
): Promise<Output<C>> {
  fetchSchemas();
  const token = sessionToken();
  const form = new FormData();
  form.set('file', file);
  try {
    const { status, text } = await exchange(call, form, options);
    return await readAnswer(call, { token, status, answer: parsed(text) });
  } catch (error) {
    if (error instanceof ApiError && error.isOutage) noteOutage();
    throw error;
  }
}

function exchange(
  call: LightCall,
  form: FormData,
  { params, query, signal, onProgress }: UploadOptions,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const sent = new XMLHttpRequest();
    sent.open(call.method, address(call, { params: params as Record<string, unknown> | undefined, query }));
    headersOf().forEach((value, name) => {
      sent.setRequestHeader(name, value);
    });
    sent.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 0 : loaded / total);
    sent.onload = () => resolve({ status: sent.status, text: sent.responseText });
    sent.onerror = () => reject(networkError(new Error('The upload was cut off')));
    sent.onabort = () => reject(signal?.reason);
    signal?.addEventListener('abort', () => sent.abort(), { once: true });
    sent.send(form);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
