import type { Call } from '@causeway/contract/call.ts';
import { networkError } from './api-error.ts';
import { failureOf, type Input, jsonOf, request, type SendOptions } from './client.ts';
import type { LightCall } from './light-call.ts';
import { saveBlob } from './save-blob.ts';
import { sessionToken } from './session.ts';

export interface DownloadOptions {
  signal?: AbortSignal;
  /** Told of every part of the file that comes, for a progress bar. */
  onChunk?: (chunk: Uint8Array, headers: Headers) => void;
}

/** Fetches a file with the session's header and hands it to the browser to save, under the server's name for it. */
export async function download<C extends Call>(
  call: LightCall<C>,
  input: Input<C>,
  fallbackName: string,
  { signal, onChunk }: DownloadOptions = {},
): Promise<void> {
  const response = await file(call, input, signal ? { signal } : {});
  const blob = await watched(response, onChunk)
    .blob()
    .catch((cause: unknown) => {
      throw networkError(cause);
    });
  saveBlob(fileName(response.headers.get('content-disposition')) ?? fallbackName, blob);
}

/** Fetches a file with the session's header, to be shown in the page. */
export async function fetchBlob<C extends Call>(call: LightCall<C>, input: Input<C>): Promise<Blob> {
  const response = await file(call, input, {});
  return response.blob().catch((cause: unknown) => {
    throw networkError(cause);
  });
}

/** The answer with the file. Throws `ApiError` for every other. */
async function file<C extends Call>(call: LightCall<C>, input: Input<C>, options: SendOptions): Promise<Response> {
  const token = sessionToken();
  const response = await request(call, input, options);
  if (!response.ok) throw failureOf({ token, status: response.status, answer: await jsonOf(response) });
  return response;
}

/** The same response, with a callback for each chunk as it arrives. */
function watched(response: Response, onChunk: DownloadOptions['onChunk']): Response {
  if (!onChunk || !response.body) return response;
  const { headers } = response;
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      onChunk(chunk, headers);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(watch), { headers });
}

/** The name in a `content-disposition` header (RFC 6266), the extended form first. */
function fileName(disposition: string | null): string | null {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  return /filename="([^"]*)"/i.exec(disposition ?? '')?.[1] ?? null;
}
