import { useState } from 'react'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { storageOf } from '../../parts/forms/storage.ts'
import { useKeyRegistry } from '../../parts/keys/use-keys.ts'
import { ActionNote } from '../action-state.tsx'
import { useSignOut } from '../caller.tsx'
import styles from '../frame.module.css'
import {
  applyPreference,
  PREFERENCE_NAMES,
  PREFERENCES,
  readPreference,
  writePreference,
  type Preference,
} from './preferences.ts'
import { useAction } from '../use-action.ts'

/** The keys of the screen, and the preferences of this browser. */
export function KeysDialog({ onClose }: { onClose(): void }) {
  const listed = useKeyRegistry().listed()
  return (
    <Dialog title="Keys of this screen" onClose={onClose}>
      <dl className="facts">
        {listed.map(({ keys, does }) => (
          <div key={keys} className={styles['key']}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <h3 className="section">Preferences of this browser</h3>
      {PREFERENCE_NAMES.map((name) => (
        <PreferenceField key={name} name={name} />
      ))}
      <p className="section">
        <button type="button" className="btn" onClick={onClose}>
          Close
        </button>{' '}
        <SignOut />
      </p>
    </Dialog>
  )
}

function PreferenceField({ name }: { name: Preference }) {
  const keys = useKeyRegistry()
  const [current, setCurrent] = useState(() =>
    readPreference(
      storageOf(() => localStorage),
      name,
    ),
  )
  const { label, choices } = PREFERENCES[name]
  const choose = (choice: string) => {
    setCurrent(choice)
    writePreference(
      storageOf(() => localStorage),
      name,
      choice,
    )
    applyPreference({ dataset: document.documentElement.dataset, keys }, name, choice)
  }
  return (
    <fieldset className={styles['choices']}>
      <legend className="soft">{label}</legend>
      {choices.map((choice) => (
        <label key={choice}>
          <input type="radio" name={name} checked={choice === current} onChange={() => choose(choice)} /> {choice}
        </label>
      ))}
    </fieldset>
  )
}

/** Ends the session of a token. Nothing without one. */
function SignOut() {
  const signOut = useSignOut()
  const { state, run } = useAction('sign-out')
  if (signOut === null) return null
  return (
    <>
      <button type="button" className="btn" onClick={() => void run(signOut)}>
        Sign out
      </button>
      <ActionNote state={state} />
    </>
  )
}
