import { useStudio } from "../../studio/studio";
import { Loaded } from "../common/Loaded";

const load = () => import("./ObjectFields").then(({ ObjectFields }) => ObjectFields);

/** Asks what an object of the user's own is called and how it is found. */
export function ObjectDialog() {
  const { form } = useStudio().ownObjects;
  return form.value === null ? null : <Loaded load={load} props={{ form: form.value }} />;
}
