// Limits and counts reconciler calls. After a time-out the resource is unreachable: neither present nor missing.
import type { Clock } from '../../platform/core/clock.ts'
import { AmbiguousError, DependencyError, UnreachableError, type Reconciler } from '../reconciler.ts'

export type Calls = Record<'observe' | 'observeAll' | 'apply' | 'remove', number>

export function countCalls(reconcilers: readonly Reconciler[]): { reconcilers: Reconciler[]; calls: Readonly<Calls> } {
  const calls: Calls = { observe: 0, observeAll: 0, apply: 0, remove: 0 }
  const counting = (reconciler: Reconciler): Reconciler => ({
    ...reconciler,
    observe: (...given) => (calls.observe++, reconciler.observe(...given)),
    observeAll: (...given) => (calls.observeAll++, reconciler.observeAll(...given)),
    apply: (...given) => (calls.apply++, reconciler.apply(...given)),
    remove: (...given) => (calls.remove++, reconciler.remove(...given)),
  })
  return { reconcilers: reconcilers.map(counting), calls }
}

export interface Bounds {
  clock: Clock
  /** Ends running calls when the daemon stops. */
  signal: AbortSignal
  observeTimeoutSecs: number
  applyTimeoutSecs: number
}

/** Delay before a kind whose observation hangs is observed again. */
const NEXT_LOOK_MS = 30_000

/** A call that times out has its signal aborted. */
export function boundCalls(reconciler: Reconciler, bounds: Bounds): Reconciler {
  const { clock } = bounds
  const { kind, title } = reconciler.definition
  const [observeMs, changeMs] = [bounds.observeTimeoutSecs * 1000, bounds.applyTimeoutSecs * 1000]
  /** Names with a timed-out change that may still finish. */
  const abandoned = new Set<string>()
  let hanging: { since: number; error: Error } | null = null

  const look = <T>(what: string, work: Call<T>['work'], ends: Pick<Call<T>, 'onGiveUp' | 'onEnd'> = {}) =>
    callWithin(bounds, { what, ms: observeMs, work, ...ends }).catch((error: Error) => {
      throw unreachable(what, error)
    })
  const change = <T>(name: string, verb: string, work: (signal: AbortSignal) => Promise<T>) => {
    const what = `${verb} ${title} ${name}`
    if (abandoned.has(name))
      throw new UnreachableError(`${what}: an earlier change is still running, and changes never overlap`)
    return callWithin(bounds, {
      what,
      ms: changeMs,
      work,
      onGiveUp: () => abandoned.add(name),
      onEnd: () => abandoned.delete(name),
    })
  }
  return {
    ...reconciler,
    observe: async (identity, lookup) =>
      look(`observe ${title} ${identity.name}`, (signal) => reconciler.observe(identity, lookup, signal)),
    observeAll: async (lookup, _signal, missed) => {
      if (hanging && clock.monotonic() - hanging.since < NEXT_LOOK_MS) throw hanging.error
      const since = clock.monotonic()
      return look(`observe ${kind}`, (signal) => reconciler.observeAll(lookup, signal, missed), {
        onGiveUp: (error) => (hanging = { since, error }),
        onEnd: () => (hanging = null),
      })
    },
    apply: async (step, lookup) => change(step.name, step.action, (signal) => reconciler.apply(step, lookup, signal)),
    remove: async (identity, requestId) =>
      change(identity.name, 'delete', (signal) => reconciler.remove(identity, requestId, signal)),
    writer: async (liveId, path) =>
      look(`query the writer of ${title} ${liveId}`, () => reconciler.writer(liveId, path)),
  }
}

interface Call<T> {
  what: string
  ms: number
  work(signal: AbortSignal): Promise<T>
  /** Called at the time-out. */
  onGiveUp?(error: UnreachableError): unknown
  /** Called when the work ends, even after the time-out. */
  onEnd?(): unknown
}

async function callWithin<T>({ clock, signal }: Bounds, { what, ms, work, onGiveUp, onEnd }: Call<T>): Promise<T> {
  if (signal.aborted) throw new UnreachableError(`${what}: the daemon is stopping`)
  const own = new AbortController()
  return new Promise<T>((resolve, reject) => {
    const giveUp = (why: string) => {
      const error = new UnreachableError(`${what}: ${why}`)
      close()
      onGiveUp?.(error)
      reject(error)
      own.abort(error)
    }
    const stop = () => giveUp('the daemon is stopping')
    const timer = clock.after(ms, () => giveUp(`no answer within ${ms / 1000} s`))
    const close = () => {
      timer.cancel()
      signal.removeEventListener('abort', stop)
    }
    signal.addEventListener('abort', stop)
    void (async () => work(own.signal))()
      .then(resolve, reject)
      .finally(() => {
        close()
        onEnd?.()
      })
  })
}

/** Wraps an observation error unless it is a definite answer. */
function unreachable(what: string, error: Error): Error {
  if (error instanceof UnreachableError || error instanceof AmbiguousError || error instanceof DependencyError)
    return error
  return new UnreachableError(`${what}: ${error.message}`, { cause: error })
}
