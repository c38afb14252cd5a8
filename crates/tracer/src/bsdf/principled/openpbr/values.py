"""Writes values.json: what OpenPBR surfaces reflect of even light, by its published formulas.

    python3 values.py > values.json

Nothing here knows the tracer. The formulas are those of the specification, OpenPBR 1.1.1, and of its
reference implementation (AcademySoftwareFoundation/OpenPBR, reference/open_pbr_surface.mtlx) with the
closures of MaterialX 1.39 it is made of; sections are those of the specification. Facets are integrated
over normals by the distribution itself, light under layers by albedo: a layer takes its own share from
what is seen below it ("albedo scaling", as in MaterialX's `layer`).

Each row: the properties of the material, the viewer's angle in degrees from the normal, the share of
light reflected (and let through) per channel, and the tolerance the tracer is held to, with the reason
where that is not the error of its tables.
"""

import json
import math

ANGLES = [0, 30, 60, 75, 85]
PI = math.pi

# The errors of tables and of sampling in the tracer.
CLOSE = 0.004


def fresnel(cos, eta):
    """Unpolarised light on a dielectric border; section 3.3 (Fresnel equations)."""
    sin2 = (1 - cos * cos) / (eta * eta)
    if sin2 >= 1:
        return 1.0
    behind = math.sqrt(1 - sin2)
    across = (cos - eta * behind) / (cos + eta * behind)
    within = (behind - eta * cos) / (behind + eta * cos)
    return (across * across + within * within) / 2


def modulated(ior, weight):
    """The index whose reflection straight on is `weight` times that of `ior`; section 3.5."""
    f0 = ((ior - 1) / (ior + 1)) ** 2
    root = math.copysign(math.sqrt(min(weight * f0, 0.99999)), ior - 1)
    return (1 + root) / (1 - root)


def f82(cos, straight, tint, weight=1.0):
    """Metal by its colour straight on and its tint at about 82 degrees; section 3.4."""
    edge = 1 / 7
    schlick = straight + (1 - straight) * (1 - edge) ** 5
    dip = schlick * (1 - tint) / (edge * (1 - edge) ** 6)
    value = straight + (1 - straight) * (1 - cos) ** 5 - dip * cos * (1 - cos) ** 6
    return weight * min(max(value, 0.0), 1.0)


def mean_of(function, steps=2000):
    """Over all directions, each by its cosine."""
    points = [(i + 0.5) / steps for i in range(steps)]
    return sum(function(c) * 2 * c for c in points) / steps


def facets(alpha, cos_o, functions, rows=240, columns=96):
    """The means of functions of the cosine to the facet over what isotropic GGX facets reflect away, at one
    reflection, with shadowing correlated by height (Heitz 2014, equation 99)."""
    def hidden(cos):
        tan2 = max(0.0, 1 - cos * cos) / (cos * cos)
        return (math.sqrt(1 + alpha * alpha * tan2) - 1) / 2

    sin_o = math.sqrt(max(0.0, 1 - cos_o * cos_o))
    hidden_o = hidden(cos_o)
    sums = [0.0] * len(functions)
    for row in range(rows):
        # Steep facets are rare but matter for flat views: their share is cut finer.
        place = (row + 0.5) / rows
        u = 1 - (1 - place) ** 3
        weight = 3 * (1 - place) ** 2 / (rows * columns)
        cos_m = 1 / math.sqrt(1 + alpha * alpha * u / (1 - u))
        sin_m = math.sqrt(max(0.0, 1 - cos_m * cos_m))
        for column in range(columns):
            phi = PI * (column + 0.5) / columns
            dot = sin_o * sin_m * math.cos(phi) + cos_o * cos_m
            cos_i = 2 * dot * cos_m - cos_o
            if dot <= 0 or cos_i <= 0:
                continue
            share = dot / (cos_o * cos_m) / (1 + hidden_o + hidden(cos_i)) * weight
            for at, function in enumerate(functions):
                sums[at] += share * function(dot)
    return sums


def alpha_of(roughness):
    """Section 3.3."""
    return roughness * roughness


def under_coat(roughness, coat_roughness, weight):
    """Roughness of the base seen through a rough coat; section 3.9.2."""
    blurred = min(1.0, roughness ** 4 + 2 * coat_roughness ** 4) ** 0.25
    # The specification mixes fourth powers, the graph their roots; both agree where the weight is 0 or 1.
    assert weight in (0, 1)
    return blurred if weight else roughness


def metal(degrees, color, tint, weight, roughness):
    """With what facets send to each other: Turquin 2019, equations 14 and 16, as MaterialX has it."""
    cos = math.cos(math.radians(degrees))
    if roughness == 0:
        return [f82(cos, c, t, weight) for c, t in zip(color, tint)]
    value = []
    for c, t in zip(color, tint):
        one, first, second = facets(
            alpha_of(roughness),
            cos,
            [lambda d: 1.0, lambda d: f82(d, c, t), lambda d: f82(d, c, t) ** 2],
        )
        value.append(weight * (first + second * (1 - one) / one))
    return value


def border(degrees, eta, roughness):
    """What a dielectric border reflects at one meeting."""
    cos = math.cos(math.radians(degrees))
    if roughness == 0:
        return fresnel(cos, eta)
    return facets(alpha_of(roughness), cos, [lambda d: fresnel(d, eta)])[0]


def coat(degrees, ior, roughness, color, darkening, base, base_roughness):
    """A coat of weight 1 over what reflects `base`, `base_roughness` rough (1: matte); sections 3.9.2 to
    3.9.4. Light leaves a matte base evenly, and every way through the coat is longer aslant."""
    cos = math.cos(math.radians(degrees))
    top = border(degrees, ior, roughness)
    inside = 1 - (1 - mean_of(lambda c: fresnel(c, ior))) / ior**2
    straight = fresnel(1, ior)
    k = straight + (inside - straight) * base_roughness

    def way(c):
        return 1 / math.sqrt(1 - (1 - c * c) / ior**2)

    value = []
    for b, tint in zip(base, color):
        darker = 1 + darkening * ((1 - k) / (1 - b * k) - 1)
        if base_roughness == 1:
            through = mean_of(lambda c: tint ** (0.5 * (way(cos) + way(c))), 400)
        else:
            through = tint ** way(cos)
        value.append(top + (1 - top) * b * darker * through)
    return value


def sheen(degrees, roughness):
    """The share white fuzz reflects: Estevez and Kulla's distribution, MaterialX's `conty_kulla`."""
    cos_o = math.cos(math.radians(degrees))
    sin_o = math.sqrt(1 - cos_o * cos_o)
    power = 1 / roughness
    total, rows, columns = 0.0, 300, 200
    for row in range(rows):
        cos_i = (row + 0.5) / rows
        sin_i = math.sqrt(1 - cos_i * cos_i)
        for column in range(columns):
            phi = PI * (column + 0.5) / columns
            x, y, z = sin_o + sin_i * math.cos(phi), sin_i * math.sin(phi), cos_o + cos_i
            sin_h = math.sqrt((x * x + y * y) / (x * x + y * y + z * z))
            shape = (2 + power) * sin_h**power / (2 * PI)
            total += shape / (4 * (cos_o + cos_i - cos_o * cos_i)) * cos_i
    return total * 2 * PI / (rows * columns)


def zeltner(degrees, roughness):
    """The share the fuzz of OpenPBR's reference reflects: MaterialX's fit to Zeltner et al. 2022."""
    x, y = math.cos(math.radians(degrees)), roughness
    s = y * (0.0206607 + 1.58491 * y) / (0.0379424 + y * (1.32227 + y))
    m = y * (-0.193854 + y * (-1.14885 + y * (1.7932 - 0.95943 * y * y))) / (0.046391 + y)
    o = y * (0.000654023 + (-0.0207818 + 0.119681 * y) * y) / (1.26264 + y * (-1.92021 + y))
    return math.exp(-0.5 * ((x - m) / s) ** 2) / (s * math.sqrt(2 * PI)) + o


def airy(cos, thickness, film_ior, bottom):
    """The Airy sum for a film of `thickness` nanometres, in linear sRGB under white of equal energy, each
    channel scaled so that a mirror is white. `bottom` gives, by the cosine in the film and the channel,
    the amplitudes of both polarisations at its lower side."""
    def amplitudes(c, eta):
        behind = math.sqrt(1 - (1 - c * c) / (eta * eta))
        return [(c - eta * behind) / (c + eta * behind),
                (behind - eta * c) / (behind + eta * c)], behind

    top, inside = amplitudes(cos, film_ior)
    sums, whites = [0.0] * 3, [0.0] * 3
    for nanometre in range(380, 721):
        rgb = observer(nanometre)
        phase = 4 * PI * film_ior * thickness * inside / nanometre
        turn = complex(math.cos(phase), math.sin(phase))
        for channel in range(3):
            lower = bottom(inside, channel)
            share = sum(abs((t + b * turn) / (1 + t * b * turn)) ** 2
                        for t, b in zip(top, lower)) / 2
            sums[channel] += rgb[channel] * share
            whites[channel] += rgb[channel]
    return [min(max(s / w, 0.0), 1.0) for s, w in zip(sums, whites)]


def observer(nanometre):
    """CIE 1931 by Wyman, Sloan and Shirley 2013 (multi-lobe fit), in linear sRGB."""
    def lobe(height, centre, below, above):
        width = below if nanometre < centre else above
        return height * math.exp(-0.5 * ((nanometre - centre) / width) ** 2)

    x = lobe(1.056, 599.8, 37.9, 31.0) + lobe(0.362, 442.0, 16.0, 26.7) - lobe(0.065, 501.1, 20.4, 26.2)
    y = lobe(0.821, 568.8, 46.9, 40.5) + lobe(0.286, 530.9, 16.3, 31.1)
    z = lobe(1.217, 437.0, 11.8, 36.0) + lobe(0.681, 459.0, 26.0, 13.8)
    return [3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
            -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
            0.0556434 * x - 0.2040259 * y + 1.0572252 * z]


def dielectric_below(film_ior, eta):
    def bottom(inside, _):
        relative = eta / film_ior
        behind = math.sqrt(max(0.0, 1 - (1 - inside * inside) / relative**2))
        return [(inside - relative * behind) / (inside + relative * behind),
                (behind - relative * inside) / (behind + relative * inside)]
    return bottom


ROWS = []


def row(what, material, degrees, expected, tolerance=CLOSE, why=None):
    rounded = [round(value, 5) for value in expected]
    entry = {"what": what, "material": material, "degrees": degrees, "expected": rounded,
             "tolerance": tolerance}
    if why:
        entry["why"] = why
    ROWS.append(entry)


def grey(value):
    return [value] * 3


GOLD, EDGE = [0.944, 0.776, 0.373], [0.998, 0.981, 0.751]
BLACK = {"base_color": [0, 0, 0]}

for angle in ANGLES:
    cosine = math.cos(math.radians(angle))
    for weight in (1.0, 0.6):
        row("metal, F82-tint",
            {"base_metalness": 1, "base_color": GOLD, "specular_color": EDGE, "specular_weight": weight,
             "specular_roughness": 0},
            angle, metal(angle, GOLD, EDGE, weight, 0))
    for roughness in (0.3, 0.6, 1.0):
        # Both count light that meets several facets: Turquin by a factor on one reflection, the tracer by
        # Kulla and Conty, which is symmetric. They part where that light is much and coloured.
        row("rough metal",
            {"base_metalness": 1, "base_color": GOLD, "specular_color": EDGE,
             "specular_roughness": roughness},
            angle, metal(angle, GOLD, EDGE, 1.0, roughness), {0.3: 0.02, 0.6: 0.025, 1.0: 0.1}[roughness],
            "multiple scattering: Kulla and Conty here, Turquin there")
    for ior, weight in ((1.5, 1.0), (1.5, 0.5), (2.2, 1.0)):
        row("border",
            BLACK | {"specular_ior": ior, "specular_weight": weight, "specular_roughness": 0},
            angle, grey(fresnel(cosine, modulated(ior, weight))))
    for roughness in (0.3, 0.7):
        eta = modulated(1.5, 1.0)
        reflected = border(angle, eta, roughness)
        row("rough border", BLACK | {"specular_roughness": roughness}, angle, grey(reflected))
        color, tint = [0.8, 0.3, 0.1], [0.9, 0.6, 0.3]
        row("glossy ground",
            {"base_color": color, "base_weight": 0.9, "specular_color": tint,
             "specular_roughness": roughness},
            angle, [reflected * t + (1 - reflected) * 0.9 * c for c, t in zip(color, tint)])
    for roughness in (0.0, 0.4):
        ground, tint = [0.7, 0.4, 0.2], [0.9, 0.7, 0.5]
        for darkening in (1.0, 0.0):
            row("coat over a matte ground",
                {"base_color": ground, "specular_weight": 0, "coat_weight": 1, "coat_roughness": roughness,
                 "coat_color": tint, "coat_darkening": darkening},
                angle, coat(angle, 1.6, roughness, tint, darkening, ground, 1.0), 0.012,
                "the symmetric layering lets less of the light leave aslant, where the coat colours more")
        base_roughness = 0.3
        blurred = under_coat(base_roughness, roughness, 1)
        row("coat over rough metal",
            {"base_metalness": 1, "base_color": GOLD, "specular_color": EDGE,
             "specular_roughness": base_roughness, "coat_weight": 1, "coat_roughness": roughness,
             "coat_darkening": 0},
            angle, coat(angle, 1.6, roughness, grey(1), 0, metal(angle, GOLD, EDGE, 1.0, blurred), blurred),
            0.03, "what a coat sends down again is coloured by the metal once more here, not there")
    for roughness in (0.3, 0.6):
        ground, tint = [0.2, 0.1, 0.05], [0.9, 0.5, 0.6]
        for weight in (1.0, 0.5):
            fuzz = weight * sheen(angle, roughness)
            row("fuzz, as MaterialX's conty_kulla",
                {"base_color": ground, "specular_weight": 0, "fuzz_weight": weight, "fuzz_color": tint,
                 "fuzz_roughness": roughness},
                angle, [fuzz * t + (1 - fuzz) * g for g, t in zip(ground, tint)])
        row("fuzz, as OpenPBR's zeltner",
            {"base_color": [0, 0, 0], "specular_weight": 0, "fuzz_weight": 1, "fuzz_roughness": roughness},
            angle, grey(zeltner(angle, roughness)), 0.3,
            "another model of fuzz, whose light does not take the same way back")
    for thickness, film_ior in ((550 / 4 / 1.38, 1.38), (400, 1.8)):
        row("film over a dielectric",
            BLACK | {"specular_roughness": 0, "thin_film_weight": 1, "thin_film_thickness": thickness / 1000,
                     "thin_film_ior": film_ior},
            angle, airy(cosine, thickness, film_ior, dielectric_below(film_ior, 1.5)), 0.006)
        row("half a film over a dielectric",
            BLACK | {"specular_roughness": 0, "thin_film_weight": 0.5,
                     "thin_film_thickness": thickness / 1000, "thin_film_ior": film_ior},
            angle, [0.5 * (f + fresnel(cosine, 1.5))
                    for f in airy(cosine, thickness, film_ior, dielectric_below(film_ior, 1.5))], 0.006)
    row("film over metal",
        {"base_metalness": 1, "base_color": GOLD, "specular_roughness": 0, "thin_film_weight": 1,
         "thin_film_thickness": 0.3, "thin_film_ior": 1.6},
        angle,
        airy(cosine, 300, 1.6, lambda inside, channel: [-math.sqrt(f82(inside, GOLD[channel], 1))] * 2),
        0.006, "a metal turns both polarisations over by half a wave, without the phase of its own index")
    tint = [0.5, 0.8, 1.0]
    reflected = fresnel(cosine, 1.5)
    row("smooth glass",
        {"transmission_weight": 1, "specular_roughness": 0, "transmission_color": tint},
        angle, [reflected + (1 - reflected) * t for t in tint])

print("[\n" + ",\n".join(json.dumps(entry) for entry in ROWS) + "\n]")
