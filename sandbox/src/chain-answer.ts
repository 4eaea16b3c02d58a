/** Serves one JSON-RPC call of a node. */
export type Answer = (method: string, params: readonly unknown[]) => Promise<unknown>;
