import { AsyncLocalStorage } from 'node:async_hooks'

/** Runs `work`, and what it starts (timers too), outside the current request's actor and write transaction. */
export const outside: <T>(work: () => T) => T = AsyncLocalStorage.snapshot()
