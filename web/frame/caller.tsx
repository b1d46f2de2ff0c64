import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import type { Whoami } from '../../schemas/gateway/session.ts'
import { isSignedOut, RequestProblem } from '../client/problem.ts'
import type { SessionKey } from '../client/session-key.ts'
import { useConnection, useLive, useLostAt } from '../live/use-live.ts'
import { TextField } from '../parts/forms/fields.tsx'
import { FailureNotice, LoadingRows } from '../parts/states/notices.tsx'
import { failureFacts } from './failures.ts'

const CallerContext = createContext<Whoami | null>(null)
export const CallerProvider = CallerContext.Provider

/** The caller that the daemon sees, with its role and permissions. */
export function useCaller(): Whoami {
  const caller = useContext(CallerContext)
  if (caller === null) throw new Error('no CallerGate above this component')
  return caller
}

const SessionContext = createContext<SessionKey | null>(null)

/** Ends the session of this browser, as after a sign-in with a token; null without a session. */
export function useSignOut(): (() => Promise<void>) | null {
  const sessionKey = useContext(SessionContext)
  const { gateway } = useLive().clients
  const queries = useQueryClient()
  if (sessionKey === null || sessionKey.value === null) return null
  return async () => {
    await gateway.deleteSession()
    sessionKey.clear()
    await queries.resetQueries()
  }
}

/** Renders its children once the caller is known; with tokens on, after a sign-in. */
export function CallerGate({ sessionKey, children }: { sessionKey: SessionKey; children: ReactNode }) {
  const { clients, retry } = useLive()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({ queryKey: ['whoami'], queryFn: () => clients.gateway.whoami() })
  const { kind } = useConnection()
  const isLost = useLostAt() !== null
  const wasLost = useRef(false)
  useEffect(() => {
    // Rights may have changed while disconnected.
    if (kind === 'signed-out' || (wasLost.current && !isLost)) void refetch()
    wasLost.current = isLost
  }, [kind, isLost])
  const onSignedIn = () => {
    retry()
    void queries.resetQueries()
  }
  if (isSignedOut(error)) return <SignIn sessionKey={sessionKey} onSignedIn={onSignedIn} />
  if (data === undefined)
    return (
      <main>
        {error ? <FailureNotice facts={failureFacts(error)} onRetry={() => void refetch()} /> : <LoadingRows />}
      </main>
    )
  return (
    <SessionContext value={sessionKey}>
      <CallerProvider value={data}>{children}</CallerProvider>
    </SessionContext>
  )
}

function SignIn({ sessionKey, onSignedIn }: { sessionKey: SessionKey; onSignedIn(): void }) {
  const { clients } = useLive()
  const [token, setToken] = useState('')
  const [problem, setProblem] = useState<RequestProblem | null>(null)
  const signIn = async () => {
    try {
      const { key } = await clients.gateway.createSession({ body: { token } })
      sessionKey.set(key)
      setToken('')
      onSignedIn()
    } catch (error) {
      if (!(error instanceof RequestProblem)) throw error
      setProblem(error)
    }
  }
  return (
    <main className="notice">
      <h1>Sign in</h1>
      <p>
        Use a token of this daemon. Its user creates one with <code>svc token create NAME</code>.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void signIn()
        }}
      >
        <TextField label="Token" value={token} onChange={setToken} isSecret error={problem?.message} />
        <button type="submit" className="btn go" disabled={token === ''}>
          Sign in
        </button>
      </form>
    </main>
  )
}
