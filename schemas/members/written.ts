// Forms of canonical values in manifests.

/** By member: a canonical value in the shortest form that a manifest takes. */
export type Written = Readonly<Record<string, (canonical: any) => unknown>>
