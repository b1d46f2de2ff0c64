// Calls of reconcilers are counted. Each has a deadline and ends with the daemon; without an answer in time the resource
// is unreachable, which is neither there nor gone.
import type { Clock } from '../../platform/core/clock.ts'
import { AmbiguousError, DependencyError, UnreachableError, type Reconciler } from '../reconciler.ts'

export type Calls = Record<'observe' | 'observeAll' | 'apply' | 'remove', number>

/** The same reconcilers, and the calls made of all of them together since then. */
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
  /** Aborts when the daemon stops: every call that is under way is given up then. */
  signal: AbortSignal
  /** Seconds an observation may take. */
  observeTimeoutSecs: number
  /** Seconds an application or a removal may take. */
  applyTimeoutSecs: number
}

/** While a look at the whole kind hangs, another one is begun this much later at the earliest, in milliseconds. */
const NEXT_LOOK_MS = 30_000

/** Keeps each call of the reconciler within `bounds`. A call aborts its signal when it is given up. */
export function boundCalls(reconciler: Reconciler, bounds: Bounds): Reconciler {
  const { clock } = bounds
  const { kind, title } = reconciler.definition
  const [observeMs, changeMs] = [bounds.observeTimeoutSecs * 1000, bounds.applyTimeoutSecs * 1000]
  /** By name: changes that were given up and may still come to their end. */
  const adrift = new Set<string>()
  let hanging: { since: number; error: Error } | null = null

  const look = <T>(what: string, work: Call<T>['work'], ends: Pick<Call<T>, 'onGiveUp' | 'onEnd'> = {}) =>
    callWithin(bounds, { what, ms: observeMs, work, ...ends }).catch((error: Error) => {
      throw unreachable(what, error)
    })
  const change = <T>(name: string, verb: string, work: (signal: AbortSignal) => Promise<T>) => {
    const what = `${verb} ${title} ${name}`
    if (adrift.has(name))
      throw new UnreachableError(`${what}: an earlier change of it has not ended yet, and two are never made at once`)
    return callWithin(bounds, {
      what,
      ms: changeMs,
      work,
      onGiveUp: () => adrift.add(name),
      onEnd: () => adrift.delete(name),
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
    writer: async (liveId, path) => look(`ask who wrote ${title} ${liveId}`, () => reconciler.writer(liveId, path)),
  }
}

interface Call<T> {
  what: string
  ms: number
  work(signal: AbortSignal): Promise<T>
  /** Called when it is not waited for any longer. */
  onGiveUp?(error: UnreachableError): unknown
  /** Called when it ends at last, having been given up or not. */
  onEnd?(): unknown
}

/** Makes a call that is given up at its deadline, or when the daemon stops. */
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

/** What an observation threw, unless it is an answer. */
function unreachable(what: string, error: Error): Error {
  if (error instanceof UnreachableError || error instanceof AmbiguousError || error instanceof DependencyError)
    return error
  return new UnreachableError(`${what}: ${error.message}`, { cause: error })
}
