import { swatchOf } from "../../../document/swatch";
import { presetMaterials } from "../../../presets/preset-materials";
import { useStudio } from "../../../studio/studio";
import { IconButton } from "../../common/IconButton";

interface OwnMaterialListProps {
  words: string;
  onChoose: (material: unknown) => void;
}

/** The materials that the user has saved. */
export function OwnMaterialList({ words, onChoose }: OwnMaterialListProps) {
  const { ownMaterials } = useStudio();
  const wanted = words.trim().toLowerCase();
  const found = ownMaterials.list.value.filter(({ name }) => name.toLowerCase().includes(wanted));
  if (found.length === 0) return null;
  const presetOf = presetMaterials().value;
  return (
    <section class="own-materials" aria-label="My materials">
      <h3>My materials</h3>
      <ul>
        {found.map(({ name, material }) => (
          <li key={name}>
            <button type="button" class="button own-material" onClick={() => onChoose(material)}>
              <svg class="own-material-ball" viewBox="0 0 10 10" aria-hidden="true">
                <circle
                  cx="5"
                  cy="5"
                  r="4.5"
                  fill={swatchOf({ properties: { material } }, presetOf) ?? "gray"}
                />
              </svg>
              <span>{name}</span>
            </button>
            <IconButton
              icon="trash"
              label={`Delete the material ${name}`}
              small
              onClick={() => ownMaterials.remove(name)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
