import * as Type from 'typebox'
import { RepositoryIgnore, RepositoryLanguages } from './code-index/repository.ts'
import { manifestObject, directoryFaults, resolvePath, type KindDefinition } from './kind.ts'
import {
  canonical,
  costIn,
  inputOf,
  keyedIn,
  required,
  shaped,
  sortedSet,
  widensIn,
  withDefault,
  type SpecOf,
} from './members.ts'
import { always, never, removes } from './members/widening.ts'
import { orNull } from './shapes.ts'

const repositoryMembers = {
  path: required(Type.String({ minLength: 1, maxLength: 4096, description: 'Directory of the repository' }), {
    cost: 'replace',
    widens: always,
  }),
  languages: shaped(
    orNull(RepositoryLanguages),
    // Null: the languages of SVC_INDEX_LANGUAGES.
    (written): string[] | null => (written ? sortedSet(written) : null),
    { keyed: '.', widens: never },
  ),
  ignore: withDefault(RepositoryIgnore, [], { widens: removes }),
}

const RepositoryManifest = manifestObject(
  'Repository',
  'A directory that is indexed for code search',
  inputOf(repositoryMembers),
)
type RepositoryManifest = Type.Static<typeof RepositoryManifest>

/** Canonical form, also produced from live repositories. The path is absolute. */
export interface RepositorySpec extends SpecOf<typeof repositoryMembers> {
  name: string
}

export const repositoryKind: KindDefinition<RepositorySpec> = {
  kind: 'repositories',
  title: 'repository',
  manifestKind: 'Repository',
  schema: RepositoryManifest,
  secrets: [],
  keyed: keyedIn(repositoryMembers),
  widens: widensIn(repositoryMembers),
  check: ({ path }: RepositoryManifest, context) =>
    typeof path === 'string' ? directoryFaults(path, ['path'], context) : [],
  references: () => [],
  canonicalise: (manifest: RepositoryManifest, context) => ({
    name: manifest.name,
    ...canonical(repositoryMembers, { ...manifest, path: resolvePath(manifest.path, context) }),
  }),
  change: costIn(repositoryMembers),
}
