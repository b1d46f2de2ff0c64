import type { Clients } from './clients.ts'

/** The live state of a resource as a manifest in YAML; a comment if it cannot be exported. */
export async function liveManifest({ controller }: Pick<Clients, 'controller'>, kind: string, name: string) {
  const { manifests } = await controller.exportLive({ query: { kind } })
  return manifests.find(({ path }) => path === `${kind}/${name}.yml`)?.content ?? `# ${kind}/${name} cannot be exported`
}
