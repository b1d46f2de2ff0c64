/** The part of a Storage that preferences use. */
export type PreferenceStorage = Pick<Storage, 'getItem' | 'setItem'>

export const PREFERENCES = {
  theme: { label: 'Theme', choices: ['system', 'light', 'dark'] },
  rows: { label: 'Rows', choices: ['dense', 'roomy'] },
  keys: { label: 'Single keys', choices: ['on', 'off'] },
} as const
export type Preference = keyof typeof PREFERENCES
export const PREFERENCE_NAMES = Object.keys(PREFERENCES) as Preference[]

const storageName = (name: Preference) => `svc-preference:${name}`

/** The stored choice; the first choice without one, or if the storage is blocked. */
export function readPreference(storage: PreferenceStorage, name: Preference): string {
  const choices: readonly string[] = PREFERENCES[name].choices
  try {
    const stored = storage.getItem(storageName(name))
    return stored !== null && choices.includes(stored) ? stored : choices[0]!
  } catch {
    return choices[0]!
  }
}

/** Stores a choice for this browser. A storage that is blocked keeps it until a reload only. */
export function writePreference(storage: PreferenceStorage, name: Preference, choice: string): void {
  try {
    storage.setItem(storageName(name), choice)
  } catch {
    // It is in force all the same.
  }
}

export interface PreferenceTargets {
  /** Attributes of the root element select the theme and the height of rows. */
  dataset: Record<string, string | undefined>
  keys: { areSingleKeysOn: boolean }
}

export function applyPreference({ dataset, keys }: PreferenceTargets, name: Preference, choice: string): void {
  if (name === 'keys') keys.areSingleKeysOn = choice === 'on'
  else dataset[name] = choice
}
