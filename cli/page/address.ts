/** Returns the address of the web page, with a slash at the end. `publicUrl`: of a daemon behind a proxy. */
export const pageAddress = (controller: string, publicUrl: URL | null): string =>
  `${(publicUrl?.href ?? controller).replace(/\/+$/, '')}/ui/`
