// Work that goes on by itself, whoever set it going: not on behalf of the request that woke it, and not inside its write.
import { AsyncLocalStorage } from 'node:async_hooks'

/** Runs `work` outside every request and write; what it starts, timers among it, is outside of them as well. */
export const outside: <T>(work: () => T) => T = AsyncLocalStorage.snapshot()
