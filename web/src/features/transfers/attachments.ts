import { uploadFile } from 'virtual:calls/files';
import { type UploadOptions, upload } from '../../lib/upload.ts';

/** Apart from the calls of the lists, whose first paint has no use for an upload. */
export function uploadAttachment(file: File, options: UploadOptions) {
  return upload(uploadFile, file, options);
}
