/** The limits of attachments, without a schema library, so that a page can say them before the schemas are there. */

/** Decisions, "Wallets and deposits": PDF, PNG or JPEG up to 10 MB each, at most 5 to a transfer. */
export const maxFileBytes = 10 * 1024 * 1024;
export const maxAttachments = 5;
export const fileTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type AttachmentType = (typeof fileTypes)[number];
/** What is stored: attachments, and the files of batches. */
export const storedFileTypes = [...fileTypes, 'text/csv', 'application/xml'] as const;
