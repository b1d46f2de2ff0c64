import { createContext, useContext } from 'react'

export interface EmptyText {
  /** What would be here. */
  what: string
  /** One command that changes it. */
  command?: string
}

const EmptyContext = createContext<EmptyText>({ what: 'Nothing is here.' })
export const EmptyProvider = EmptyContext.Provider

/** What the screen says while it has nothing to show. */
export const useEmptyText = (): EmptyText => useContext(EmptyContext)
