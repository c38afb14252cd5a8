import type { Library } from "../../library/library";
import { OWN_OBJECTS } from "../../library/search";

/** Which category of objects is shown. */
export function CategoryChips({ library }: { library: Library }) {
  const { category } = library;
  const categories = library.contents.value?.categories ?? [];
  return (
    <fieldset class="library-categories">
      <legend class="visually-hidden">Category</legend>
      {[null, OWN_OBJECTS, ...categories].map((each) => (
        <label key={each} class="library-category">
          <input
            type="radio"
            name="library-category"
            class="visually-hidden"
            checked={category.value === each}
            onChange={() => {
              category.value = each;
            }}
          />
          <span>{each ?? "all"}</span>
        </label>
      ))}
    </fieldset>
  );
}
