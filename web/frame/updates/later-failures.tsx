import { createContext, useContext, useSyncExternalStore } from 'react'
import { FailureNotice } from '../../parts/states/notices.tsx'
import { failureFacts } from '../failures.ts'
import styles from '../frame.module.css'

interface LaterFailure {
  /** "Apply to default" */
  title: string
  error: unknown
}

/** Failures of actions that went on after their dialog had closed. */
export class LaterFailures {
  #list: readonly LaterFailure[] = []
  readonly #listeners = new Set<() => void>()

  readonly list = (): readonly LaterFailure[] => this.#list

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  add(failure: LaterFailure): void {
    this.#change([...this.#list, failure])
  }

  dismiss(failure: LaterFailure): void {
    this.#change(this.#list.filter((each) => each !== failure))
  }

  #change(list: readonly LaterFailure[]): void {
    this.#list = list
    for (const listener of this.#listeners) listener()
  }
}

const LaterContext = createContext(new LaterFailures())
export const LaterProvider = LaterContext.Provider
export const useLaterFailures = (): LaterFailures => useContext(LaterContext)

/** Shows the failures above the screen, until a person closes them. */
export function LaterNotices() {
  const failures = useLaterFailures()
  const list = useSyncExternalStore(failures.subscribe, failures.list, failures.list)
  return list.map((failure, index) => (
    <section key={index} className={styles['later']} aria-label={`${failure.title} failed`}>
      <b>{failure.title} failed after it began.</b>
      <FailureNotice facts={failureFacts(failure.error)} retry="Close" onRetry={() => failures.dismiss(failure)} />
    </section>
  ))
}
