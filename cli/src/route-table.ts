/** Method, path, traits as in the client, summary, names of the query, names of the body with `*` if they are required. */
export type RouteRow = readonly [
  method: string,
  path: string,
  traits: string,
  about: string,
  query: string,
  body: string,
]
export type RouteTable = Readonly<Record<string, Readonly<Record<string, RouteRow>>>>
