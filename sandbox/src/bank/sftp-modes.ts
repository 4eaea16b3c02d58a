/** down: nothing listens. full: nothing can be written. cutting: the connection is lost half-way through every file. */
export const SFTP_MODES = ['ok', 'down', 'slow', 'full', 'cutting'] as const;
export type SftpMode = (typeof SFTP_MODES)[number];

/** other: the server shows a key that the customer has not pinned. */
export const HOST_KEYS = ['usual', 'other'] as const;
export type HostKey = (typeof HOST_KEYS)[number];
